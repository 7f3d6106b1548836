/**
 * A regular expression too long for one line. Its source is the pieces, joined verbatim: blanks count.
 *
 * @throws SyntaxError when the result is not a regular expression.
 */
export function pattern(flags: string, ...pieces: readonly string[]): RegExp {
  return new RegExp(pieces.join(''), flags);
}
