import type { CallScope } from './types.ts';

/**
 * Whether a text stands in what the owner said, word for word and in this order; case, punctuation and line breaks do
 * not count. Such a text is the owner's, whatever else was read.
 *
 * @param said what the owner said, one text for each request.
 */
export function isSaid(text: string, said: readonly string[]): boolean {
  const words = wordsOf(text);
  return words !== '' && said.some((each) => ` ${wordsOf(each)} `.includes(` ${words} `));
}

/** What the owner said in a conversation. The text of a turn born untrusted is not the person's. */
export function ownWords({ said, bornUntrusted }: Pick<CallScope, 'said' | 'bornUntrusted'>): readonly string[] {
  return bornUntrusted ? [] : said;
}

function wordsOf(text: string): string {
  return (
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  ).join(' ');
}
