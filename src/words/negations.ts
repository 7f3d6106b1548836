/** Words that turn a sentence into its opposite, folded and without apostrophes. */
export const NEGATIONS: ReadonlySet<string> = new Set(
  'not never no none neither dont doesnt didnt wont cant nicht nie niemals kein keine keinen keiner keines'.split(' '),
);
