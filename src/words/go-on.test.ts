import { expect, test } from 'vitest';
import { isGoOn } from './go-on.ts';

test.each([
  ...['go on', 'Go on!', 'ok, go on please', 'please continue', 'yes, carry on then', 'keep going', 'continue with it'],
  ...['go on with the rest', 'just proceed', 'continue, thanks', 'finish it', 'resume'],
  ...['weiter', 'Mach weiter!', 'ja bitte mach weiter', 'mach bitte weiter', 'dann fahr fort', 'bitte fortfahren'],
  ...['weiter geht’s', 'setz das bitte fort', 'mach den Rest fertig'],
])('"%s" asks for the rest', (text) => expect(isGoOn(text)).toBe(true));

test.each([
  ...['', 'yes', 'ok', 'the rest', 'go on a trip', 'go on, but only with the first three', 'what is going on?'],
  ...['continue the story about the fox', 'note: go on', 'ja', 'weiter hinten im Text', 'mach das Licht an'],
  ...['erinnere mich weiter zu machen', 'go', 'on', `go on ${'please '.repeat(20)}`],
])('"%s" does not', (text) => expect(isGoOn(text)).toBe(false));
