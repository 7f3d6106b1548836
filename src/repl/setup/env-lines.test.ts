import { parseEnv } from 'node:util';
import { expect, test } from 'vitest';
import { withVariables } from './env-lines.ts';

test('a variable replaces its own line; comments, blanks and other lines stay', () => {
  const before = '# mine\nTZ=Europe/Oslo\n\nexport OPENAI_API_KEY="old one" # key\nLAST=1\n';
  const after = withVariables(before, { OPENAI_API_KEY: 'sk-new', MODEL_NAME: 'openai:gpt-4o-mini' });
  expect(after).toBe('# mine\nTZ=Europe/Oslo\n\nOPENAI_API_KEY=sk-new\nLAST=1\nMODEL_NAME=openai:gpt-4o-mini\n');
});

test.each(['plain', 'a b', "it's", 'say "x"', 'a#b', '$HOME', ' ends '])('%j comes back as it was', (value) => {
  expect(parseEnv(withVariables('', { NAME: value }))).toEqual({ NAME: value });
});

test('what the file cannot hold, or would change other lines, is refused', () => {
  expect(() => withVariables('', { NAME: 'a\nOTHER=b' })).toThrow('characters that .env cannot hold');
  expect(() => withVariables('TEXT="one\nNAME=two\nthree"\n', { NAME: 'x' })).toThrow('cannot be changed');
});
