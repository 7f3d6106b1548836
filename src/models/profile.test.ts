import { expect, test } from 'vitest';
import { namesSeveralSteps, profileOf } from './profile.ts';

test.each([
  ['note: buy milk', 'classic_tools', 'repl', 'TOOL_EXECUTION'],
  ['note: buy milk', 'code_agent', 'repl', 'CODE_ASSISTANCE'],
  ['note: buy milk', 'code_agent', 'schedule', 'BACKGROUND_TASK'],
  ['Compare these two offers and list the pros and cons', 'classic_tools', 'cli', 'COMPLEX_REASONING'],
  ['plan my move to Bergen step by step', 'code_agent', 'repl', 'COMPLEX_REASONING'],
  ['word '.repeat(400), 'classic_tools', 'http', 'COMPLEX_REASONING'],
  ['write me a short poem about the sea', 'classic_tools', 'repl', 'CREATIVE_WRITING'],
  ['what does my rental contract say about pets?', 'classic_tools', 'repl', 'RAG_PROCESSING'],
  ['find the deadline in my documents', 'classic_tools', 'cli', 'RAG_PROCESSING'],
  ['find the deadline in my documents', 'code_agent', 'cli', 'CODE_ASSISTANCE'],
  ['when is the next ferry?', 'classic_tools', 'channel', 'TOOL_EXECUTION'],
] as const)('%s (%s, %s) is %s', (text, mode, origin, profile) => {
  expect(profileOf({ text, mode, origin })).toBe(profile);
});

test.each([
  ['find the tide table and then remind me an hour before', true],
  ['look it up; then note it', true],
  ['note: buy milk and bread', false],
])('%s: several steps is %s', (text, several) => {
  expect(namesSeveralSteps(text)).toBe(several);
});
