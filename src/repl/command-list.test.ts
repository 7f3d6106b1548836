import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { needs } from '../testing/needs.ts';
import { COMMAND_GROUPS } from './command.ts';
import { commandsFor, findCommand } from './command-list.ts';
import { COMMANDS } from './commands.gen.ts';
import { COMMON_FLAG_LINES, explain, overview } from './help-text.ts';

test('every entry of the generated list loads the command of its name', async () => {
  for (const { load, ...info } of COMMANDS) {
    const { run, runBare: _, ...own } = await load();
    expect(own).toEqual(info);
    expect(run).toBeInstanceOf(Function);
  }
});

test.each(COMMANDS.map(({ name, summary }) => [name, summary]))('%s: "%s" fits on a line of the help', (_, summary) => {
  expect(summary).toMatch(/^[A-Z][a-z]+\b.*[^.]$/u);
  expect(summary.length).toBeLessThanOrEqual(80 - 15);
});

test.each(COMMANDS.map((command) => [command.name, command]))(
  '%s: its help ends in examples that can be typed',
  (name, command) => {
    const lines: string[] = [];
    explain(command, command.only ?? 'argv', { show: () => {}, line: (line) => lines.push(line) });
    const shown = lines.slice(lines.findIndex((line) => line.startsWith('Example')) + 1);
    const common = COMMON_FLAG_LINES.flatMap((line) => line.match(/--?[a-z]+/gu)?.slice(0, 2) ?? []);
    const known = new Set([...common, ...Object.keys(command.flags ?? {}).map((flag) => `--${flag}`)]);
    expect(command.examples.length).toBeGreaterThan(0);
    for (const example of command.examples) {
      expect(shown.some((line) => line.endsWith(example))).toBe(true);
      const typed = example.split('| wooster ').at(-1)?.split(' -- ')[0] ?? '';
      expect(typed).toMatch(new RegExp(`^${name}(?: |$)`, 'u'));
      for (const [flag] of typed.matchAll(/(?<= )--?[a-z-]+/gu)) expect([...known]).toContain(flag);
    }
  },
);

test.each(['argv', 'slash'] as const)('the help of %s lists every command there once, by group', (place) => {
  const rows: unknown[] = [];
  const lines: string[] = [];
  overview(COMMANDS, { place, all: true }, { show: (row) => rows.push(row), line: (line) => lines.push(line) });
  const usable = commandsFor(COMMANDS, place);
  expect(rows).toEqual(usable.map(({ name, summary }) => ({ name, summary })));
  expect(lines.filter((line) => COMMAND_GROUPS.some((group) => line === `${group}:`))).toHaveLength(
    COMMAND_GROUPS.length,
  );
});

test.each(['argv', 'slash'] as const)('the first page of the help in %s has fifteen commands', (place) => {
  const rows: unknown[] = [];
  const lines: string[] = [];
  overview(COMMANDS, { place, all: false }, { show: (row) => rows.push(row), line: (line) => lines.push(line) });
  expect(rows).toHaveLength(15);
  expect(lines.join('\n')).toContain(`help all" lists the other commands`);
});

test('an alias stands for a form that the usage of its command names', () => {
  for (const { name, aliases = {}, usage } of COMMANDS)
    for (const before of Object.values(aliases)) {
      expect(usage.some((form) => form.startsWith([name, ...before].join(' ')))).toBe(true);
    }
});

test.each([
  ['aks', 'argv', 'unknown_command', 'Did you mean "ask"?'],
  ['servce', 'slash', 'unknown_command', '"/help" lists the commands.'],
  ['caht', 'argv', 'unknown_command', 'Did you mean "chat"?'],
  ['zzzzz', 'slash', 'unknown_command', '"/help" lists the commands.'],
  ['what is 6 * 7?', 'argv', 'bad_usage', 'wooster ask "..."'],
] as const)('%j in %s is refused', (name, place, code, hint) => {
  expect(() => findCommand(COMMANDS, name, place)).toThrow(expect.objectContaining({ code, hint }));
});

test.runIf(needs('groff'))('the manual page is one that groff has nothing to say about', () => {
  const page = join(import.meta.dirname, '../../docs/wooster.1');
  const { status, stderr } = spawnSync('groff', ['-man', '-ww', '-z', page], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
});
