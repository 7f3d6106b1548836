import { expect, test } from 'vitest';
import { openCommands } from '../../testing/commands.ts';

async function opened(...texts: string[]) {
  const commands = await openCommands();
  const { notices } = commands.app.schedule.notifier;
  for (const text of texts) {
    await commands.app.store.transaction(() => notices.post({ key: text, text, urgent: text.endsWith('!') }));
    await notices.advance();
  }
  return { ...commands, notices };
}

test('the newest comes last, each with its number and what became of it', async () => {
  const { run, notices } = await opened('call Anna', 'fire!');
  await notices.openFace({ kind: 'prompt', runsJobs: true, show: () => {} });
  const { lines, rows, code } = await run(['notices']);
  expect([code, lines.map((line) => line.replace(/\d{4}-\d\d-\d\d \d\d:\d\d/u, 'TIME'))]).toEqual([
    0,
    [
      expect.stringMatching(/^ {3}1 {2}TIME {2}delivered \(prompt\): call Anna$/u),
      expect.stringMatching(/^ {3}2 {2}TIME {2}delivered \(prompt\), urgent: fire!$/u),
    ],
  ]);
  expect(rows).toMatchObject([
    { number: 1, text: 'call Anna', state: 'delivered' },
    { number: 2, urgent: true },
  ]);
});

test('where nothing was told that is said', async () => {
  const { run } = await opened();
  expect((await run(['notices'])).lines).toEqual(['You were told nothing in the last 30 days, and nothing waits.']);
  expect(await run(['notices', 'done'])).toMatchObject({ code: 0, notes: ['There is nothing open.'] });
});

test('one is done, or all', async () => {
  const { run } = await opened('call Anna', 'fire!', 'water');
  expect((await run(['notices', 'done', '2'])).lines).toEqual(['Done: fire!']);
  expect(await run(['notices', 'done', '2'])).toMatchObject({ code: 1, notes: ['No open notice has the number 2.'] });
  expect((await run(['notices', 'done'])).lines).toEqual(['2 notices done.']);
  expect((await run(['notices'])).lines.every((line) => line.includes('done (prompt)'))).toBe(true);
});

test('one comes again at another time', async () => {
  const { run, notices } = await opened('call Anna');
  const { lines, code } = await run(['notices', 'snooze', '1', 'in', '30', 'minutes']);
  expect([code, lines]).toEqual([0, [expect.stringMatching(/^It comes again .*: call Anna$/u)]]);
  const [{ state, nextAt } = {}] = await notices.list();
  expect(state).toBe('waiting');
  expect(Math.round(((nextAt?.getTime() ?? 0) - Date.now()) / 60_000)).toBe(30);
  expect(await run(['notices', 'snooze', '7', 'tomorrow'])).toMatchObject({ code: 1 });
});

test.each([[['notices', 'done', 'x']], [['notices', 'snooze']], [['notices', 'forget']]])(
  '%j is refused',
  async (words) => {
    const { run } = await opened();
    await expect(run(words)).rejects.toMatchObject({ code: 'bad_usage' });
  },
);
