import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import type { TurnEvent } from '../base/turn.ts';
import { printable, type Screen } from './screen.ts';
import { TurnView } from './turn-view.ts';

/** A screen that keeps what is on it; taking back really takes it away. */
class FakeScreen implements Screen {
  readonly columns = 20;
  readonly rows = 6;
  readonly isTerminal: boolean;
  text = '';
  notes = '';

  constructor(isTerminal: boolean) {
    this.isTerminal = isTerminal;
  }

  write(text: string): void {
    this.text += stripVTControlCharacters(text);
  }

  erase(rows: number): void {
    const wrapped = this.text.split('\n').flatMap((line) => line.match(/.{1,20}/gu) ?? ['']);
    this.text = wrapped
      .slice(0, -rows)
      .map((line) => `${line}\n`)
      .join('');
  }

  line(text: string): void {
    this.write(`${text}\n`);
  }

  note(text: string): void {
    this.notes += `${text}\n`;
  }

  ask(): Promise<undefined> {
    return Promise.resolve(undefined);
  }
}

function shown(events: readonly TurnEvent[], { terminal = true, codeLog = false } = {}): FakeScreen {
  const screen = new FakeScreen(terminal);
  const view = new TurnView(screen, { prefix: 'W: ', codeLog });
  for (const event of events) view.show(event);
  return screen;
}

const token = (text: string): TurnEvent => ({ type: 'token', text });
const answer = (text: string, stop: 'answered' | 'aborted' = 'answered'): TurnEvent => ({ type: 'answer', text, stop });
const retry: TurnEvent = { type: 'retry', reason: 'the line broke', waitMs: 1500 };
const script: TurnEvent = { type: 'code', attempt: 1, source: 'finalAnswer(1)' };
const tool: TurnEvent = { type: 'tool', name: 'write_note', input: { text: 'x' }, ok: true, ms: 3, preview: 'noted' };

describe('on a terminal', () => {
  test('an answer that was streamed is not written twice', () => {
    expect(shown([token('one '), token('two'), answer('one two')]).text).toBe('W: one two\n');
  });

  test('a retry takes back the tokens of the broken try', () => {
    const { text } = shown([token('a wrong beginning that wraps'), retry, token('right'), answer('right')]);
    expect(text).toBe('  trying again in 1.5 s: the line broke\nW: right\n');
  });

  test('text that has scrolled away is said to be discarded', () => {
    const { text } = shown([token('x'.repeat(200)), retry, answer('right')]);
    expect(text).toContain('(the text above is discarded)\n');
    expect(text).toMatch(/W: right\n$/u);
  });

  test('what a model wrote around its script is taken back', () => {
    expect(shown([token('```js\nfinalAnswer(1)\n```'), script, answer('1')]).text).toBe('W: 1\n');
  });

  test('scripts and logs are shown when that is asked for', () => {
    const { text } = shown([script, { type: 'log', text: 'hm' }, answer('1')], { codeLog: true });
    expect(text).toBe('  script 1:\n  finalAnswer(1)\n  log: hm\nW: 1\n');
  });

  test('words before a tool call stay, and the call is one line', () => {
    const { text } = shown([token('Noting.'), tool, token('Done.'), answer('Done.')]);
    expect(text).toBe('W: Noting.\n  write_note {"text":"x"} - 3 ms: noted\nW: Done.\n');
  });

  test('output of a script is the answer when the two are the same', () => {
    expect(shown([{ type: 'output', text: 'a' }, { type: 'output', text: 'b' }, answer('a\nb')]).text).toBe('a\nb\n');
  });

  test('a cancelled answer keeps what was shown', () => {
    expect(shown([token('half'), answer('', 'aborted')]).text).toBe('W: half\n');
  });
});

test('elsewhere only whole answers are written, and errors go to stderr', () => {
  const failed: TurnEvent = { type: 'error', code: 'internal', message: 'It broke.', hint: 'Fix it.' };
  const piped = shown([token('wrong'), retry, tool, token('right'), answer('right')], { terminal: false });
  expect([piped.text, piped.notes]).toEqual(['W: right\n', '']);
  const broken = shown([token('ri'), failed, answer('It broke.')], { terminal: false });
  expect([broken.text, broken.notes]).toEqual(['', 'It broke. Fix it.\n']);
});

test('elsewhere scripts that were asked for go to stderr', () => {
  const piped = shown([script, answer('1')], { terminal: false, codeLog: true });
  expect([piped.text, piped.notes]).toEqual(['W: 1\n', '  script 1:\n  finalAnswer(1)\n']);
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

test('tokens and cost stand below the answer when they are wanted, notices in any case', () => {
  const screen = new FakeScreen(true);
  const view = new TurnView(screen, { prefix: 'W: ', codeLog: false, showUsage: true });
  view.show({ type: 'notice', text: 'The budget for today is used up.' });
  view.show({ type: 'usage', model: 'm', inputTokens: 1200, outputTokens: 30, costUsd: 0.0012 });
  view.show({ type: 'usage', model: 'm', inputTokens: 300, outputTokens: 8, costUsd: undefined });
  view.show(answer('Done.'));
  expect(screen.notes).toContain('The budget for today is used up.');
  expect(screen.text).toContain('2 calls, 1500 tokens in, 38 out, price unknown');
});
