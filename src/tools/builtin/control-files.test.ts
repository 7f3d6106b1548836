import { describe, expect, test } from 'vitest';
import { isControlFile } from './control-files.ts';
import { lineDiff } from './line-diff.ts';

describe('control files', () => {
  test.each([
    'prompt.txt',
    'PROMPT.TXT',
    './prompt.txt',
    'prompt.txt/',
    'sub/prompt.txt',
    'ｐrompt.txt',
    'wooster.config.json',
    'mcp.json',
    'skills/mail/SKILL.md',
    'skills/mail/steps.md',
    'SKILL.md',
    'plugins/x/index.ts',
    'user-plugins/x/readme.txt',
    'prompts/tone.txt',
    '.env',
    '.envrc',
    '.git/hooks/pre-commit',
    '.vscode/tasks.json',
    'a/.hidden/b.txt',
    'AGENTS.md',
    'CLAUDE.md',
    'Makefile',
    'package.json',
    'Dockerfile',
    'docker-compose.yml',
    'hooks/post-merge',
    'backup.sh',
    'run.BAT',
    'tools/x.ps1',
    'wooster.desktop',
    'job.timer',
    'site.url',
    'evening.tl',
    'conftest.py',
  ])('%s is one', (path) => expect(isControlFile(path)).toBe(true));

  test.each([
    'garden.md',
    'prompt.md',
    'my prompt.txt',
    'prompts.txt',
    'notes/2026-01-15.md',
    'recipes/cake.html',
    'budget.csv',
    'config.json',
    'hello.py',
    'report.js',
    'plugin-ideas.md',
    'shopping list.txt',
    'Müller.md',
    'a.b.c.txt',
    'home.md',
    'letters/reply.eml',
    'makefile-notes.md',
  ])('%s is none', (path) => expect(isControlFile(path)).toBe(false));
});

describe('the diff that is shown', () => {
  test('a new file', () => expect(lineDiff(undefined, 'a\nb\n')).toBe('+ a\n+ b'));
  test('one changed line between others', () =>
    expect(lineDiff('1\n2\n3\n4\n5\n6\n', '1\n2\n3\nX\n5\n6\n')).toBe('  2\n  3\n- 4\n+ X\n  5\n  6'));
  test('an appended line', () => expect(lineDiff('a\n', 'a\nb\n')).toBe('  a\n+ b'));
  test('a removed file', () => expect(lineDiff('a\n', '')).toBe('- a'));
  test('a long change keeps its head and tail', () => {
    const lines = Array.from({ length: 200 }, (_, index) => `line ${index}`).join('\n');
    const shown = lineDiff(undefined, lines).split('\n');
    expect(shown).toHaveLength(61);
    expect(shown).toContain('… 140 more lines …');
    expect(shown.at(-1)).toBe('+ line 199');
  });
});
