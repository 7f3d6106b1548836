import { describe, expect, test } from 'vitest';
import type { TurnEvent } from '../base/turn.ts';
import { fakeScreen } from '../testing/fake-screen.ts';
import { openTurnScreen } from '../testing/turn-screen.ts';
import { printable } from './screen.ts';
import { TurnView } from './turn-view.ts';

/** The rows on a terminal, without the line below them. */
async function onTerminal(events: readonly TurnEvent[], codeLog = false): Promise<string> {
  const screen = openTurnScreen({ columns: 40, rows: 12, codeLog });
  screen.show(...events);
  return (await screen.transcript()).slice(0, -1).join('\n');
}

/** What is written to a pipe. */
function piped(events: readonly TurnEvent[], codeLog = false): string[] {
  const screen = fakeScreen();
  const view = new TurnView(screen, { prefix: 'W: ', codeLog });
  for (const event of events) view.show(event);
  return [screen.text, screen.notes];
}

const token = (text: string): TurnEvent => ({ type: 'token', text });
const answer = (text: string, stop: 'answered' | 'aborted' = 'answered'): TurnEvent => ({ type: 'answer', text, stop });
const retry: TurnEvent = { type: 'retry', reason: 'the line broke', waitMs: 1500 };
const script: TurnEvent = { type: 'code', attempt: 1, source: 'finalAnswer(1)' };
const tool: TurnEvent = {
  type: 'tool',
  callId: 'call_1',
  name: 'write_note',
  input: { text: 'x' },
  ok: true,
  ms: 3,
  preview: 'noted',
};

describe('on a terminal', () => {
  test('an answer that was streamed is not written twice', async () => {
    expect(await onTerminal([token('one '), token('two'), answer('one two')])).toBe('Wooster: one two');
  });

  test('an answer whose links were disarmed at the end is not written twice', async () => {
    const events = [token('See [it](https://example.org/x).'), answer('See it (example.org/x).')];
    expect(await onTerminal(events)).toBe('Wooster: See it\n(https://example.org/x).');
  });

  test('what a model wrote around its script is taken back', async () => {
    expect(await onTerminal([token('```js\nfinalAnswer(1)\n```'), script, answer('1')])).toBe('Wooster: 1');
  });

  test('scripts and logs are shown when that is asked for', async () => {
    const shown = await onTerminal([script, { type: 'log', text: 'hm' }, answer('1')], true);
    expect(shown).toBe('  script 1:\n  finalAnswer(1)\n  log: hm\nWooster: 1');
  });

  test('words before a tool call stay, and the call is one line', async () => {
    const shown = await onTerminal([token('Noting.'), tool, token('Done.'), answer('Done.')]);
    expect(shown).toBe('Wooster: Noting.\n  write_note {"text":"x"} - 3 ms: noted\nWooster: Done.');
  });

  test('output of a script is the answer when the two are the same', async () => {
    const shown = await onTerminal([{ type: 'output', text: 'a' }, { type: 'output', text: 'b' }, answer('a\nb')]);
    expect(shown).toBe('a\nb');
  });

  test('a cancelled answer keeps what was shown', async () => {
    expect(await onTerminal([token('half'), answer('', 'aborted')])).toBe('Wooster: half');
  });
});

test('elsewhere only whole answers are written, raw, and errors go to stderr', () => {
  const failed: TurnEvent = { type: 'error', code: 'internal', message: 'It broke.', hint: 'Fix it.' };
  expect(piped([token('wrong'), retry, tool, token('right'), answer('**right**')])).toEqual(['W: **right**\n', '']);
  expect(piped([token('ri'), failed, answer('It broke.')])).toEqual(['', 'It broke. Fix it.\n']);
});

test('elsewhere scripts that were asked for go to stderr', () => {
  expect(piped([script, answer('1')], true)).toEqual(['W: 1\n', '  script 1:\n  finalAnswer(1)\n']);
});

test.each([
  ['\u001b]0;title\u0007a', 'a'],
  ['\u001b[2Ja\u001b[31mb\u001b[0m', 'ab'],
  ['a\rb\u0008c', 'abc'],
  ['tab\tand\r\nline', 'tab\tand\nline'],
  ['\u202etxt.exe', 'txt.exe'],
  ['\u009b31mred', '31mred'],
])('untrusted content cannot control the terminal: %j', (text, clean) => {
  expect(printable(text)).toBe(clean);
});

test('tokens and cost go below the answer when they are wanted, notices in any case', () => {
  const screen = fakeScreen();
  const view = new TurnView(screen, { prefix: 'W: ', codeLog: false, showUsage: true });
  view.show({ type: 'notice', text: 'The budget for today is used up.' });
  view.show({ type: 'usage', model: 'm', inputTokens: 1200, outputTokens: 30, costUsd: 0.0012 });
  view.show({ type: 'usage', model: 'm', inputTokens: 300, outputTokens: 8, costUsd: undefined });
  view.show(answer('Done.'));
  expect(screen.notes).toContain('The budget for today is used up.');
  expect(screen.notes).toContain('2 calls, 1500 tokens in, 38 out, price unknown');
});
