/**
 * How much each word of a question tells among a few texts: what few of them hold tells more. Always above 0.
 *
 * @param texts the words of each, as those of the question are written.
 */
export function rarity(asked: Iterable<string>, texts: readonly ReadonlySet<string>[]): Map<string, number> {
  return new Map(
    [...asked].map((word) => {
      const count = texts.filter((text) => text.has(word)).length;
      return [word, Math.log(1 + (texts.length + 1) / (count + 0.5))];
    }),
  );
}
