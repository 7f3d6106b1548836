const VERB_OF_BEING = /^(?:ist|sind|heißt|heißen|war|lautet)$/u;

/**
 * What follows a German "dass" as a sentence of its own: the verb moves from the end behind the subject. "ich in Köln
 * wohne" becomes "ich wohne in Köln". A clause whose subject cannot be told stays as it is.
 */
export function mainClause(clause: string): string {
  const words = clause.replace(/[.!\s]+$/u, '').split(/\s+/u);
  const verb = words.at(-1) ?? '';
  const subject = subjectLength(words, verb);
  if (subject === 0 || subject >= words.length - 1) return clause;
  return [...words.slice(0, subject), verb, ...words.slice(subject, -1)].join(' ');
}

/** "Anna", "Omas Geburtstag", "Anna Müller". */
function namesAtStart(words: readonly string[]): number {
  const end = words.findIndex((word) => !/^\p{Lu}/u.test(word));
  return end < 0 ? words.length : end;
}

/** How many words the subject has; 0: unknown. */
function subjectLength(words: readonly string[], verb: string): number {
  const [first = ''] = words;
  if (/^(?:ich|wir|er|sie|es)$/iu.test(first)) return 1;
  if (!/^(?:mein|unser|der|die|das|dein)/iu.test(first)) return namesAtStart(words);
  const noun = words.findIndex((word, at) => at > 0 && /^\p{Lu}/u.test(word));
  if (noun < 0) return 0;
  // "mein Chef Herr Lindqvist ist": the name says who he is. "mein Nachbar Herr Brandt ... hat": it belongs to him.
  if (VERB_OF_BEING.test(verb) || OF.test(words[noun + 1] ?? '')) return noun + 1 + ofLength(words.slice(noun + 1));
  const end = words.findIndex((word, at) => at > noun && !/^\p{Lu}/u.test(word));
  return end < 0 ? noun + 1 : Math.min(end, words.length - 1);
}

const OF = /^(?:vom|von|für|fürs|zum|zur)$/u;

/** "Der Schlüssel vom Auto": what belongs to the noun. At least one more word stands behind it, besides the verb. */
function ofLength(words: readonly string[]): number {
  const noun = OF.test(words[0] ?? '') ? words.findIndex((word) => /^\p{Lu}/u.test(word)) : -1;
  return noun > 0 && noun < 4 && noun < words.length - 2 ? noun + 1 : 0;
}
