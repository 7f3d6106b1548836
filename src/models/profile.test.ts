import { expect, test } from 'vitest';
import { profileOf } from './profile.ts';

test.each([
  ['note: buy milk', 'classic_tools', 'repl', 'TOOL_EXECUTION'],
  ['note: buy milk', 'code_agent', 'repl', 'CODE_ASSISTANCE'],
  ['note: buy milk', 'code_agent', 'schedule', 'BACKGROUND_TASK'],
  ['Compare these two offers and list the pros and cons', 'classic_tools', 'cli', 'COMPLEX_REASONING'],
  ['plan my move to Bergen step by step', 'code_agent', 'repl', 'COMPLEX_REASONING'],
  ['word '.repeat(400), 'classic_tools', 'http', 'COMPLEX_REASONING'],
  ['write me a short poem about the sea', 'classic_tools', 'repl', 'CREATIVE_WRITING'],
  ['when is the next ferry?', 'classic_tools', 'channel', 'TOOL_EXECUTION'],
] as const)('%s (%s, %s) is %s', (text, mode, origin, profile) => {
  expect(profileOf({ text, mode, origin })).toBe(profile);
});
