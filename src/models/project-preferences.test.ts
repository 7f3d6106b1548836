import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../testing/home.ts';
import { projectPreferences } from './project-preferences.ts';

const NONE = { localOnly: false, strategy: undefined, model: undefined };
const HINT = 'Fix the file: {"localOnly": true, "strategy": "cost", "model": "provider:model"}, all optional.';

/** The folder of the projects, one of which has such a file. */
function projects(text: string) {
  const dir = temporaryFolder();
  mkdirSync(join(dir, 'home'));
  const path = join(dir, 'home', 'wooster.config.json');
  writeFileSync(path, text);
  return { dir, path };
}

test.each([
  ['{}', NONE],
  ['{"localOnly": true}', { ...NONE, localOnly: true }],
  ['{"strategy": "cost", "model": "openai:gpt-5"}', { ...NONE, strategy: 'cost', model: 'openai:gpt-5' }],
  ['{"models": {"localOnly": true}, "theme": "dark"}', { ...NONE, localOnly: true }],
  ['{"localOnly": true, "models": {"localOnly": false, "model": "m"}, "model": "n"}', { ...NONE, model: 'm' }],
  ['{"models": {}, "strategy": "speed"}', { ...NONE, strategy: 'speed' }],
])('%s', (text, wishes) => expect(projectPreferences(projects(text).dir, 'home')).toEqual(wishes));

test('a project without the file, or without a folder, wishes for nothing', () => {
  expect(projectPreferences(projects('{"localOnly": true}').dir, 'other')).toEqual(NONE);
  expect(projectPreferences(undefined, 'home')).toEqual(NONE);
});

test.each([
  ['{', /^\S+ is not valid: .*JSON.*\.$/u],
  ['[]', /is not valid: .*expected object.*\.$/u],
  ['{"localOnly": "yes"}', /is not valid: .*expected boolean.*\.$/u],
  ['{"strategy": "luck"}', /is not valid: .*"speed".*\.$/u],
])('%s might have said "local only", so nothing is asked', (text, message) => {
  const { dir, path } = projects(text);
  const read = () => projectPreferences(dir, 'home');
  expect(read).toThrow(expect.objectContaining({ code: 'bad_setting', hint: HINT }));
  expect(read).toThrow(message);
  expect(read).toThrow(path);
});

test('so might one that cannot be read', () => {
  const dir = temporaryFolder();
  mkdirSync(join(dir, 'home', 'wooster.config.json'), { recursive: true });
  expect(() => projectPreferences(dir, 'home')).toThrow(
    expect.objectContaining({ code: 'bad_setting', message: expect.stringContaining('EISDIR'), hint: HINT }),
  );
});
