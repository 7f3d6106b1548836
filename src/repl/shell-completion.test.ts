import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../testing/home.ts';
import { needs } from '../testing/needs.ts';
import { COMMANDS } from './commands.gen.ts';
import { type Shell, shellCompletion } from './shell-completion.ts';

const ON_TERMINAL = resolve(import.meta.dirname, '../../scripts/on-terminal.py');

/** Typed words, the last one at the cursor, and one of the completions that the shell must offer. */
const CASES: readonly (readonly [typed: string, found: string])[] = [
  ['wooster sche', 'schedule'],
  ['wooster schedule resch', 'reschedule'],
  ['wooster --project home schedule resch', 'reschedule'],
  ['wooster schedule add --overl', '--overlap'],
  ['wooster ask --mode cla', 'classic_tools'],
  ['wooster ask --verb', '--verbose'],
];

/** The script of a shell, as a file. */
function scriptOf(shell: Shell): string {
  const path = join(temporaryFolder(), `completion.${shell}`);
  writeFileSync(path, shellCompletion(shell, COMMANDS));
  return path;
}

function run(command: string, args: readonly string[], input = ''): string {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8', input, cwd: temporaryFolder() });
  expect(stderr).toBe('');
  expect(status).toBe(0);
  return stdout;
}

describe.runIf(needs('bash'))('bash', () => {
  test('completes commands, their words and flags', () => {
    const lines = CASES.map(([typed]) => {
      const words = typed.split(' ');
      return `COMP_WORDS=(${words.join(' ')}); COMP_CWORD=${words.length - 1}; _wooster; echo "\${COMPREPLY[*]}"`;
    });
    const shown = run('bash', ['--norc', '-c', `source ${scriptOf('bash')}; ${lines.join('; ')}`]);
    expect(shown.trim().split('\n')).toEqual(CASES.map(([, found]) => found));
  });
});

describe.runIf(needs('fish'))('fish', () => {
  test('completes commands, their words and flags', () => {
    const asked = CASES.map(([typed]) => `complete -C '${typed}'; echo .`).join('; ');
    const shown = run('fish', ['--no-config', '-c', `source ${scriptOf('fish')}; ${asked}`]).split('\n.\n');
    for (const [index, [, found]] of CASES.entries()) expect(shown[index]).toContain(found);
  });
});

describe.runIf(needs('zsh'))('zsh', () => {
  test('completes commands, their words and flags', () => {
    // This shell completes only at its prompt, so the completed line is run.
    const opening = 'PS1=; wooster() { print -r -- "got:$*." }; autoload -Uz compinit; compinit -u -D';
    const typed = [opening, `source ${scriptOf('zsh')}`, ...CASES.map(([words]) => `${words}\t`), 'exit'];
    const shown = run('python3', [ON_TERMINAL, 'zsh', '-f'], typed.map((line) => `${line}\r`).join(''));
    const got = [...shown.matchAll(/^got:(.*)\.\r?$/gmu)].map(([, words = '']) => words.split(' ').at(-1));
    expect(got).toEqual(CASES.map(([, found]) => found));
  });
});
