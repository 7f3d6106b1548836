import { execFile } from 'node:child_process';
import { basename } from 'node:path';
import { cut } from '../../base/text.ts';
import { defineChannel, type Outcome } from '../channel.ts';

const TIMEOUT_MS = 10_000;
const TITLE = 'Wooster';

/**
 * A notice on the desktop of this machine. It confirms that the desktop took it, not that somebody was there.
 *
 * @see https://specifications.freedesktop.org/notification-spec/latest/
 */
export const desktop = defineChannel({
  id: 'desktop',
  label: 'the desktop',
  own: true,
  remote: false,
  needs: ['desktopCommand'],
  fresh: () => ({ desktopCommand: process.platform === 'darwin' ? 'osascript' : 'notify-send' }),
  options: {
    desktopCommand: {
      kind: 'text',
      key: 'desktop.command',
      env: 'DESKTOP_COMMAND',
      about: 'Program that shows a notice on this desktop: notify-send on Linux, osascript on macOS.',
      without: 'nothing is shown on the desktop',
    },
  },
  connect: ({ desktopCommand: command }) => ({
    health: () => ({
      configured: command !== undefined,
      detail: command === undefined ? 'set DESKTOP_COMMAND' : `by ${basename(command)}`,
    }),
    recipient: () => (command === undefined ? 'none' : 'this desktop'),
    send: async (text, signal) =>
      command === undefined
        ? { state: 'failed', detail: 'DESKTOP_COMMAND is not set' }
        : run(command, argumentsFor(command, text), signal),
  }),
});

/** AppleScript gets title and text as arguments, never as part of its source. Notices of Linux may hold markup. */
function argumentsFor(command: string, text: string): string[] {
  if (basename(command) === 'osascript') {
    const show = 'display notification (item 2 of argv) with title (item 1 of argv)';
    return ['-e', 'on run argv', '-e', show, '-e', 'end run', TITLE, text];
  }
  const plain = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return ['--app-name=Wooster', '--', TITLE, plain];
}

function run(command: string, args: readonly string[], signal: AbortSignal): Promise<Outcome> {
  return new Promise((resolve) => {
    execFile(command, args, { signal, timeout: TIMEOUT_MS, killSignal: 'SIGKILL' }, (error, _stdout, stderr) => {
      if (!error) resolve({ state: 'sent', detail: 'shown' });
      else if (error.code === 'ENOENT') resolve({ state: 'failed', detail: `${command} is not installed` });
      else if (error.killed || signal.aborted)
        resolve({ state: 'unknown', detail: `${command} did not finish in time` });
      else resolve({ state: 'failed', detail: `${command}: ${cut(stderr.trim(), 200) || 'it failed'}` });
    });
  });
}
