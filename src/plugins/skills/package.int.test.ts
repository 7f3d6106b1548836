import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openCommands } from '../../testing/commands.ts';
import { temporaryFolder } from '../../testing/home.ts';
import { SKILL_FILE } from './skill-folder.ts';

test('a skill from a package is off, and nothing of it was run', async () => {
  const { run, app, home } = await openCommands();
  const folder = join(temporaryFolder(), 'pack');
  mkdirSync(join(folder, 'skills', 'chai'), { recursive: true });
  const scripts = { install: `touch ${home}/ran`, prepack: 'true', postinstall: `touch ${home}/ran` };
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'tea-skills', version: '1.0.0', scripts }));
  const text = '---\nname: chai\ndescription: How to make tea for guests.\n---\n# Chai\n';
  writeFileSync(join(folder, 'skills', 'chai', SKILL_FILE), text);
  execFileSync('npm', ['pack', '--silent', '--ignore-scripts'], { cwd: folder });
  await run(['skills', 'add', join(folder, 'tea-skills-1.0.0.tgz')]);
  expect((await app.knowledge.skills.list('home')).find(({ name }) => name === 'chai')?.state).toBe('off');
  expect(existsSync(join(home, 'ran'))).toBe(false);
});
