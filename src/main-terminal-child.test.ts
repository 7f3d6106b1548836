import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LLMock } from '@copilotkit/aimock';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { temporaryFolder } from './testing/home.ts';
import { childEnvironment, wooster, woosterOnTerminal } from './testing/wooster.ts';

const CTRL_C = '\u0003';
const server = new LLMock({ port: 0 });

beforeAll(async () => {
  server.on({ userMessage: 'slowly' }, { content: `${'word '.repeat(60)}end` }, { latency: 50, chunkSize: 5 });
  server.on({ userMessage: 'table' }, { content: '**Towns**\n\n| Town | n |\n|--|--|\n| Oslo | 1 |\n\nDone.' });
  await server.start();
});
afterAll(() => server.stop());

function open(env: Record<string, string> = {}, args: readonly string[] = []) {
  const keys = { OPENAI_BASE_URL: `${server.url}/v1`, OPENAI_API_KEY: 'sk-test-not-a-real-key-0000' };
  return woosterOnTerminal(args, { home: temporaryFolder(), env: { ...keys, ...env } });
}

describe('the real program on a real terminal', () => {
  test('draws tables, and shows project, mode and model below the line', async () => {
    const terminal = open();
    terminal.type('a table\r');
    await terminal.see('Town │ n');
    await terminal.see('Done.');
    await terminal.see('home | tools');
  });

  test('draws with ASCII in the C locale, and without colours with NO_COLOR', async () => {
    const terminal = open({ LC_ALL: 'C', NO_COLOR: '1' });
    terminal.type('a table\r');
    await terminal.see('Town | n');
    await terminal.see('Done.');
    expect(terminal.bytes()).not.toMatch(/\u001b\[[\d;]*m/u);
    expect(terminal.shown()).toMatch(/^[\n\u0020-\u007e]*$/u);
  });

  test.each([
    ['--plain', {}, ['--plain']],
    ['WOOSTER_PLAIN', { WOOSTER_PLAIN: '1' }, []],
    ['a dumb terminal', { TERM: 'dumb' }, []],
  ])('%s: no escape sequence at all', async (_name, env, args) => {
    const terminal = open(env, args);
    await terminal.see('> ');
    terminal.type('a table\n');
    await terminal.see('Done.');
    terminal.type('/quit\n');
    expect(await terminal.ended()).toBe(0);
    expect(terminal.bytes()).not.toContain('\u001b');
  });

  test('with --plain, a line that is half typed is drawn again below a reminder', async () => {
    const home = temporaryFolder();
    const terminal = woosterOnTerminal(['--plain'], { home });
    await terminal.see('> ');
    terminal.type('what iss\u007f 2+');
    await terminal.see('> what is 2+');
    await wooster(['schedule', 'add', 'in 1 second', '--message', 'eat', '--yes'], { home });
    await terminal.see(': eat');
    await terminal.see('> what is 2+');
    terminal.type('2?\r');
    await terminal.see('= 4');
    terminal.type('/quit\r');
    expect(await terminal.ended()).toBe(0);
    expect(terminal.bytes()).not.toContain('\u001b');
  });

  test('what waits goes back into the line when the answer is stopped', async () => {
    const terminal = open();
    await terminal.see('> ');
    terminal.type('count slowly\r');
    await terminal.see('word word');
    terminal.type('and then this\r');
    await terminal.see('next: and then this');
    terminal.type(CTRL_C);
    await vi.waitFor(() => expect(terminal.shown()).toMatch(/\(cancelled\).*> and then this/su), { timeout: 20_000 });
  });

  test('the terminal is given back as it was', async () => {
    const terminal = open();
    await terminal.see('> ');
    terminal.type('/quit\r');
    expect(await terminal.ended()).toBe(0);
    expect(terminal.bytes().endsWith('\u001b[?2004l\u001b[?25h\u001b[0m')).toBe(true);
  });
});

test('through pipes there is no escape sequence, and the answer is the Markdown as it came', async () => {
  const env = { OPENAI_BASE_URL: `${server.url}/v1`, OPENAI_API_KEY: 'sk-test-not-a-real-key-0000' };
  const asked = await wooster(['ask', 'a table'], { home: temporaryFolder(), env });
  expect(asked.stdout).toContain('**Towns**\n\n| Town | n |');
  const piped = await wooster([], { home: temporaryFolder(), env, input: 'a table\n' });
  expect(piped.stdout).toContain('Wooster: **Towns**');
  for (const text of [asked.stdout, asked.stderr, piped.stdout, piped.stderr]) expect(text).not.toContain('\u001b');
});

/** Is tmux there? Where it is not, its tests have nothing to say. */
function tmuxRuns(): boolean {
  try {
    return execFileSync('tmux', ['-V'], { encoding: 'utf8' }).startsWith('tmux');
  } catch {
    return false;
  }
}

describe.runIf(tmuxRuns())('inside tmux', () => {
  /** The program in a tmux server of its own. */
  function openTmux(columns: number, rows: number) {
    const home = temporaryFolder();
    const socket = join(home, 'tmux');
    const env = {
      ...childEnvironment({
        home,
        env: { OPENAI_BASE_URL: `${server.url}/v1`, OPENAI_API_KEY: 'sk-test-not-a-real-key-0000', LC_ALL: 'C.UTF-8' },
      }),
    };
    const tmux = (...args: string[]) =>
      execFileSync('tmux', ['-S', socket, '-f', '/dev/null', ...args], { env, encoding: 'utf8' });
    const program = join(import.meta.dirname, '../bin/wooster');
    tmux('new-session', '-d', '-x', String(columns), '-y', String(rows), program);
    const shown = () => tmux('capture-pane', '-p', '-S', '-');
    return {
      shown,
      type: (text: string) => tmux('send-keys', '-l', text),
      press: (key: string) => tmux('send-keys', key),
      resize: (x: number, y: number) => tmux('resize-window', '-x', String(x), '-y', String(y)),
      see: (text: string) => vi.waitFor(() => expect(shown()).toContain(text), { timeout: 20_000, interval: 100 }),
      paste(text: string) {
        writeFileSync(join(home, 'pasted'), text);
        tmux('load-buffer', join(home, 'pasted'));
        tmux('paste-buffer', '-p');
      },
      end: () => tmux('kill-server'),
    };
  }

  test('resizing while an answer comes loses no line of it', async () => {
    const pane = openTmux(80, 24);
    try {
      await pane.see('home | tools');
      pane.type('count slowly');
      pane.press('Enter');
      await pane.see('word word');
      pane.type('draft');
      for (const [x, y] of [
        [60, 20],
        [40, 15],
        [100, 30],
      ] as const) {
        pane.resize(x, y);
        await pane.see('> draft');
      }
      await pane.see('end');
      expect(pane.shown().match(/\bword\b/gu)?.length).toBeGreaterThanOrEqual(60);
      expect(pane.shown().match(/> draft/gu)?.length).toBeLessThanOrEqual(3);
    } finally {
      pane.end();
    }
  });

  test('a pasted letter is one placeholder, and nothing is sent before Enter', async () => {
    const pane = openTmux(40, 15);
    try {
      await pane.see('home | tools');
      server.clearRequests();
      pane.paste('line of a letter\n'.repeat(120));
      await pane.see('[pasted #1, 121 lines]');
      expect(server.getRequests()).toHaveLength(0);
    } finally {
      pane.end();
    }
  });

  test('scrolling back shows every line once', async () => {
    const pane = openTmux(80, 24);
    try {
      await pane.see('home | tools');
      pane.type('/help');
      pane.press('Enter');
      await pane.see('Anything else is a question');
      pane.type('/tools');
      pane.press('Enter');
      await pane.see('write_note');
      expect(pane.shown().match(/Anything else is a question/gu)).toHaveLength(1);
      expect(pane.shown().match(/Wooster\. Ask something/gu)).toHaveLength(1);
    } finally {
      pane.end();
    }
  });
});
