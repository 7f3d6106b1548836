import { expect, test } from 'vitest';
import { feedback } from './feedback.ts';
import { ScriptCalls } from './script-calls.ts';

test('after an unknown name, each function is listed once', async () => {
  const failed = { reason: 'error', message: 'ReferenceError: shoppingList is not defined' } as const;
  const text = await feedback({
    result: { failed, logs: [], droppedLogs: 0, calls: [] } as never,
    stored: new Map(),
    names: ['finalAnswer', 'write_note', 'writeNote', 'mail.send'],
    like: () => [],
    ...{ maxChars: 1000, attemptsLeft: 1, calls: new ScriptCalls(), earlier: [], deadEnd: undefined },
  });
  expect(text).toContain('Functions here: finalAnswer, writeNote.');
});
