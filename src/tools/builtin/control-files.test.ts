import { describe, expect, test } from 'vitest';
import { isMeant, type Obeyed, obeyedBy } from './control-files.ts';
import { lineDiff } from './line-diff.ts';

describe('who obeys a file', () => {
  test.each<[Obeyed, readonly string[]]>([
    [
      'wooster',
      [
        ...['prompt.txt', 'PROMPT.TXT', './prompt.txt', 'prompt.txt/', 'sub/prompt.txt', 'ｐrompt.txt'],
        ...['wooster.config.json', 'mcp.json', 'skills/mail/SKILL.md', 'skills/mail/steps.md', 'SKILL.md'],
        ...['plugins/x/index.ts', 'user-plugins/x/readme.txt', 'prompts/tone.txt', '.env', '.envrc', '.npmrc'],
        ...['.git/hooks/pre-commit', '.vscode/tasks.json', 'a/.hidden/b.txt', 'memory.md', '.git/.gitignore'],
      ],
    ],
    [
      'programs',
      [
        ...['AGENTS.md', 'CLAUDE.md', 'Makefile', 'package.json', 'Dockerfile', 'docker-compose.yml', '.gitignore'],
        ...['hooks/post-merge', 'backup.sh', 'run.BAT', 'tools/x.ps1', 'wooster.desktop', 'job.timer', 'site.url'],
        ...['evening.tl', 'conftest.py', 'CMakeLists.txt', 'sub/.gitignore', 'house.code-workspace'],
      ],
    ],
    [
      'unknown',
      [
        ...['vite.config.ts', 'Taskfile.yml', 'BUILD', 'configure', 'noxfile.py', 'config.json', 'hello.py', 'a.mdx'],
        ...['recipes/cake.html', 'report.js', 'letters/reply.eml', 'x', 'a.txt.exe2'],
      ],
    ],
    [
      'text',
      [
        ...['garden.md', 'prompt.md', 'my prompt.txt', 'prompts.txt', 'notes/2026-01-15.md', 'budget.csv', 'home.md'],
        ...['plugin-ideas.md', 'shopping list.txt', 'Müller.md', 'a.b.c.txt', 'makefile-notes.md', 'A.TXT'],
      ],
    ],
  ])('%s', (obeyed, paths) => {
    expect(paths.map((path) => [path, obeyedBy(path)])).toEqual(paths.map((path) => [path, obeyed]));
  });
});

describe('a request', () => {
  test.each<[request: string, path: string, others: readonly string[], meant: boolean]>([
    ['change the Makefile so that it cleans up', 'Makefile', ['b.sh'], true],
    ['add node_modules to .gitignore', '.gitignore', [], true],
    ['add node_modules to my.gitignore.txt', '.gitignore', [], false],
    ['change my deploy script', 'deploy.sh', ['notes.md'], true],
    ['change my deploy script', 'deploy.sh', ['backup.bash'], false],
    ['change deploy.sh', 'tools/deploy.sh', ['backup.sh'], true],
    ['write a shell script that says hello', 'hello.sh', [], true],
    ['schreib mir ein Skript', 'hallo.sh', [], true],
    ['a description of my day', 'day.sh', [], false],
    ['tidy up', 'Makefile', [], false],
    ['what is in makefiles?', 'Makefile', [], false],
  ])('"%s" means %s beside %j: %s', (request, path, others, meant) => {
    expect(isMeant(path, request, others)).toBe(meant);
  });
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
