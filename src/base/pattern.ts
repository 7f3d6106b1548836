/**
 * A regular expression too long for one line. The pieces are its source, joined as they stand: blanks count.
 *
 * @throws SyntaxError when the pieces together are none.
 */
export function pattern(flags: string, ...pieces: readonly string[]): RegExp {
  return new RegExp(pieces.join(''), flags);
}
