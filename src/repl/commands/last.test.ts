import { expect, test } from 'vitest';
import { openCommands } from '../../testing/commands.ts';

const ANSWER = 'Here it is:\n\n```js\nconst a = 1;\n```\n\nDone.';

test('last prints the answer as it was written, and details what was done for it', async () => {
  const { run, say } = await openCommands({
    replies: [{ toolCalls: [{ name: 'write_note', args: { text: 'milk' } }] }, ANSWER],
    session: { conversationId: 'conv_1' },
  });
  await say('note the milk');
  expect((await run(['last'])).lines).toEqual([ANSWER]);
  const { lines, rows } = await run(['details']);
  expect(lines.join('\n')).toContain('call write_note {\n  "text": "milk"\n}');
  expect(lines.join('\n')).toContain('result of write_note');
  expect(rows).toHaveLength(2);
});

test('copy puts the answer, or its last code block, on the clipboard', async () => {
  const { run, say } = await openCommands({ replies: [ANSWER], session: { conversationId: 'conv_1' } });
  await say('show me');
  expect((await run(['copy'])).copied).toEqual([ANSWER]);
  expect((await run(['copy', 'code'])).copied).toEqual(['const a = 1;']);
  await expect(run(['copy', 'all'])).rejects.toMatchObject({ code: 'bad_usage' });
});

test('before the first answer there is nothing to show', async () => {
  const { run } = await openCommands();
  await expect(run(['last'])).rejects.toMatchObject({ code: 'bad_usage' });
  expect((await run(['details'])).lines).toEqual(['The last turn called no tool and ran no script.']);
});
