/**
 * Inverse document frequency of query words within a handful of texts, such as the hits of one search. Always above 0.
 *
 * @param asked the query's words, stemmed.
 * @param texts the set of stemmed words of each text.
 */
export function idfAmong(asked: Iterable<string>, texts: readonly ReadonlySet<string>[]): Map<string, number> {
  return new Map(
    [...asked].map((word) => {
      const count = texts.filter((text) => text.has(word)).length;
      return [word, Math.log(1 + (texts.length + 1) / (count + 0.5))];
    }),
  );
}
