import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from './testing/home.ts';
import { type Run, rows, wooster } from './testing/wooster.ts';

const oneLine = (text: string) => text.trimEnd().split('\n').length === 1;

describe('a wrong call is answered with one line and exit code 2', () => {
  test.each([
    [['aks', 'why?'], 'Unknown command "aks". Did you mean "ask"?'],
    [['docter'], 'Did you mean "doctor"?'],
    [['ask', 'why?', '--jsn'], 'Unknown flag "--jsn". Did you mean "--json"?'],
    [['--projct', 'x'], 'Did you mean "--project"?'],
    [['ask'], 'There is no question. Usage: wooster ask "TEXT"'],
    [['ask', '   '], 'There is no question. Usage: wooster ask "TEXT"'],
    [['ask', 'why?', '--mode', 'fast'], 'Unknown mode "fast".'],
    [['ask', 'why?', '--home'], "Option '--home <value>' argument missing"],
  ])('%j', async (args, message) => {
    const ran = await wooster(args, { home: temporaryFolder() });
    expect(ran.stderr).toContain(message);
    expect([ran.code, ran.stdout, oneLine(ran.stderr)]).toEqual([2, '', true]);
  });
});

describe('a bad setting stops the start and names key, variable, problem and fix', () => {
  test.each([
    [{ CHAT_MODE: 'fast' }, ['chatMode', 'CHAT_MODE', 'classic_tools | code_agent']],
    [{ CODE_AGENT_MAX_ATTEMPTS: 'many' }, ['codeAgent.maxAttempts', 'CODE_AGENT_MAX_ATTEMPTS', 'from 1 to 20']],
    [{ OPENAI_BASE_URL: 'localhost' }, ['OPENAI_BASE_URL', 'http or https URL']],
  ])('%j', async (env, parts) => {
    for (const args of [['ask', 'hello'], []]) {
      const ran = await wooster(args, { home: temporaryFolder(), env, input: 'hello\n' });
      for (const part of parts) expect(ran.stderr).toContain(part);
      expect([ran.code, ran.stdout, oneLine(ran.stderr)]).toEqual([1, '', true]);
    }
  });
});

test('help is there when a setting is not', async () => {
  const ran = await wooster(['help', 'ask'], { home: temporaryFolder(), env: { CHAT_MODE: 'fast' } });
  expect([ran.code, ran.stderr]).toEqual([0, '']);
  expect(ran.stdout).toContain('wooster ask "TEXT"');
});

/** Three starts of the program, one of which waits for the lock as long as it may. */
const LOCKED_MS = 120_000;

describe('a home that cannot be used is said at the start', () => {
  const said = async (home: string, code: string, of: Pick<Run, 'store'> = {}) => {
    const ran = await wooster(['ask', 'hello', '--json'], { home, cwd: '/', ...of });
    expect(rows(ran.stdout)).toMatchObject([{ type: 'error', code }]);
    expect([ran.code, oneLine(ran.stderr), ran.stderr.includes('    at ')]).toEqual([1, true, false]);
  };

  test('a file where the folder should be', async () => {
    const file = join(temporaryFolder(), 'home');
    writeFileSync(file, '');
    await said(file, 'home_not_writable');
  });

  test('but not for logs that cannot be written', async () => {
    const home = temporaryFolder();
    writeFileSync(join(home, 'logs'), '');
    const ran = await wooster(['ask', '2+2'], { home });
    expect([ran.code, ran.stdout]).toEqual([0, '2+2 = 4\n']);
  });

  test('a place where nothing can be made, not even by root', () => said('/proc/wooster', 'home_not_writable'));

  test('a damaged database', async () => {
    const home = temporaryFolder();
    mkdirSync(join(home, 'state'));
    writeFileSync(join(home, 'state/wooster.sqlite3'), 'not a database, whatever its name says. '.repeat(100));
    await said(home, 'store_damaged', { store: 'sqlite' });
    expect(readFileSync(join(home, 'state/wooster.sqlite3'), 'utf8')).toContain('not a database');
  });

  test(
    'a database that another program holds',
    async () => {
      const home = temporaryFolder();
      const store = 'sqlite';
      expect((await wooster(['ask', 'hello'], { home, store })).code).toBe(0);
      const other = new DatabaseSync(join(home, 'state/wooster.sqlite3'));
      other.exec('BEGIN EXCLUSIVE');
      await said(home, 'store_unavailable', { store });
      other.close();
      expect((await wooster(['ask', 'hello'], { home, store })).code).toBe(0);
    },
    LOCKED_MS,
  );
});

describe('ask', () => {
  test('writes only the answer to stdout and the conversation to stderr', async () => {
    const ran = await wooster(['ask', 'what', 'is', '6 * 7?'], { home: temporaryFolder() });
    expect(ran.code).toBe(0);
    expect(ran.stdout).toMatch(/\b42\b/u);
    expect(ran.stderr).toMatch(/^conversation \S+\n$/u);
  });

  test('with --json writes one event per line and nothing else', async () => {
    const ran = await wooster(['ask', 'what is 6 * 7?', '--json', '-c', 'mine'], { home: temporaryFolder() });
    const events = rows(ran.stdout);
    expect(events[0]).toMatchObject({ type: 'turn', conversationId: 'mine', mode: 'classic_tools', project: 'home' });
    expect(events.at(-1)).toMatchObject({ type: 'answer', stop: 'answered', text: expect.stringContaining('42') });
  });
});

test('a missing file is named, the others are still ingested, and the exit code is 1', async () => {
  const home = temporaryFolder();
  writeFileSync(join(home, 'there.md'), 'The heron stands in the reeds.');
  const ran = await wooster(['ingest', 'gone.md', 'there.md'], { home });
  expect(ran.code).toBe(1);
  expect(ran.stdout + ran.stderr).toContain('gone.md');
  const found = await wooster(['rag', 'search', 'heron', '--json'], { home });
  expect(rows(found.stdout)[0]).toMatchObject({ text: expect.stringContaining('heron') });
});

test.each([[['--help']], [['help']], [['ask', '--help']], [['tools']], [['--version']]])(
  '%j exits with 0',
  async (args) => {
    const ran = await wooster(args, { home: temporaryFolder() });
    expect([ran.code, ran.stderr]).toEqual([0, '']);
    expect(ran.stdout).not.toBe('');
  },
);

test('the launcher works through a link, from any folder, and keeps the exit code', async () => {
  const dir = temporaryFolder();
  symlinkSync(resolve(import.meta.dirname, '../bin/wooster'), join(dir, 'w'));
  const { spawnSync } = await import('node:child_process');
  expect(spawnSync('./w', ['aks'], { cwd: dir }).status).toBe(2);
  expect(existsSync(join(dir, 'state'))).toBe(false);
});

describe('piped lines', () => {
  test('are each answered before the program ends, in one conversation', async () => {
    const input = 'what is 2 + 3?\nwhat is 20 * 3?\nmode code\nwhat is 7 * 7?';
    const ran = await wooster([], { home: temporaryFolder(), input });
    const answers = ran.stdout.split('\n').filter((line) => line.startsWith('Wooster: '));
    expect(answers).toEqual([
      expect.stringMatching(/\b5\b/u),
      expect.stringMatching(/\b60\b/u),
      expect.stringMatching(/\b49\b/u),
    ]);
    expect([ran.code, ran.stderr]).toEqual([0, '']);
  });

  test('/quit leaves the rest unread; an unknown command does not stop the others', async () => {
    const input = '/toolz\nwhat is 2 + 3?\n/quit\nwhat is 20 * 3?\n';
    const ran = await wooster([], { home: temporaryFolder(), input });
    expect(ran.stderr).toBe('Unknown command "/toolz". Did you mean "/tools"?\n');
    expect(ran.stdout).toMatch(/\b5\b/u);
    expect(ran.stdout).not.toMatch(/\b60\b/u);
    expect(ran.code).toBe(2);
  });
});
