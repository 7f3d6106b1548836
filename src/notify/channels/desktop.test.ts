import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../testing/home.ts';
import { testNotifier } from '../../testing/notifier.ts';
import { channelContract } from '../channel.contract.ts';
import { desktop } from './desktop.ts';

/** A program by one of the names that shows notices: it writes its arguments, separated by NUL. */
function showing(name: string, script = '') {
  const dir = temporaryFolder();
  const path = join(dir, name);
  writeFileSync(path, `#!/bin/sh\n${script}\nfor each; do printf '%s\\0' "$each" >> '${dir}/args'; done\n`);
  chmodSync(path, 0o755);
  const calls = () => (existsSync(`${dir}/args`) ? readFileSync(`${dir}/args`, 'utf8').split('\0').slice(0, -1) : []);
  return { path, calls };
}

channelContract(desktop, async () => {
  const { path, calls } = showing('notify-send');
  return {
    options: { desktopCommand: path },
    arrived: () => calls().filter((_, index) => index % 4 === 3),
    fail: () => writeFileSync(path, '#!/bin/sh\necho "no desktop" >&2\nexit 1\n'),
  };
});

test('a text cannot be read as an option, or as markup', async () => {
  const { path, calls } = showing('notify-send');
  await (await testNotifier({ desktopCommand: path })).send('--help <b>x</b> & y', 'desktop');
  expect(calls()).toEqual(['--app-name=Wooster', '--', 'Wooster', '--help &lt;b&gt;x&lt;/b&gt; &amp; y']);
});

test('on macOS a text is never part of the script', async () => {
  const { path, calls } = showing('osascript');
  const text = '" & (do shell script "rm") & "';
  await (await testNotifier({ desktopCommand: path })).send(text, 'desktop');
  expect(calls().slice(-2)).toEqual(['Wooster', text]);
  expect(calls().slice(0, -1).join('\n')).not.toContain('do shell');
});

test.each([
  ['that is not there', () => '/nowhere/notify-send', 'is not installed'],
  ['that fails', () => showing('notify-send', 'echo "no bus" >&2; exit 1').path, 'no bus'],
])('a program %s is the reason why it was not shown', async (_name, path, detail) => {
  expect(await (await testNotifier({ desktopCommand: path() })).send('tea', 'desktop')).toMatchObject({
    state: 'failed',
    detail: expect.stringContaining(detail),
  });
});
