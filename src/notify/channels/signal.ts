import { spawn } from 'node:child_process';
import { cut } from '../../base/text.ts';
import { defineChannel, type OptionValues } from '../channel.ts';
import { utf8Bytes } from '../split.ts';
import { findReport, readExit, readReport, type SignalExit } from './signal-report.ts';

/** signal-cli turns longer texts into attachments. */
const MAX_BYTES = 1900;
/** A group has a thousand members at most, each named in some 150 characters. */
const MAX_REPORT_CHARS = 1_000_000;

const OPTIONS = {
  signalCliPath: {
    kind: 'word',
    key: 'signal.cliPath',
    env: 'SIGNAL_CLI_PATH',
    default: 'signal-cli',
    about: 'The signal-cli program.',
    without: 'signal-cli is looked for on the PATH',
  },
  signalNumber: {
    kind: 'text',
    key: 'signal.number',
    env: 'SIGNAL_CLI_NUMBER',
    about: 'Your own Signal account, +49…; notices without another recipient go to Note to Self.',
    without: 'nothing can be sent by Signal',
  },
  signalTo: {
    kind: 'text',
    key: 'signal.to',
    env: 'SIGNAL_TO',
    about: 'Number that Signal notices go to.',
    without: 'Note to Self',
  },
  signalGroupId: {
    kind: 'text',
    key: 'signal.groupId',
    env: 'SIGNAL_GROUP_ID',
    about: 'Signal group that notices go to, before SIGNAL_TO.',
    without: 'SIGNAL_TO, else Note to Self',
  },
  signalTimeoutMs: {
    kind: 'integer',
    key: 'signal.timeoutMs',
    env: 'SIGNAL_CLI_TIMEOUT_MS',
    default: 20_000,
    min: 500,
    max: 600_000,
    about: 'Longest run of signal-cli in ms.',
    without: '20000',
  },
} as const;

type SignalOptions = OptionValues<typeof OPTIONS>;

/**
 * Signal through the `signal-cli` program: to the group, else the number, else Note to Self.
 *
 * @see https://github.com/AsamK/signal-cli/blob/master/man/signal-cli.1.adoc
 */
export const signal = defineChannel({
  id: 'signal',
  label: 'Signal',
  own: true,
  remote: true,
  needs: ['signalNumber'],
  maxLength: { max: MAX_BYTES, measure: utf8Bytes },
  options: OPTIONS,
  connect: (options) => ({
    health: () => ({
      configured: options.signalNumber !== undefined,
      detail: options.signalNumber === undefined ? 'set SIGNAL_CLI_NUMBER' : describe(options),
    }),
    recipient: () => describe(options),
    send: async (text, abort, attempt) => {
      if (options.signalNumber === undefined) return { state: 'failed', detail: 'SIGNAL_CLI_NUMBER is not set' };
      const command = ['-o', 'json', '-a', options.signalNumber, 'send'];
      const exit = await run(
        options,
        [...command, ...(attempt?.only ?? recipient(options)), ...messageOf(text)],
        abort,
      );
      // The exit code stands for all recipients together and differs between versions, so the report goes first.
      const report = findReport(exit.stdout);
      return report ? readReport(report) : readExit(exit);
    },
  }),
});

function describe({ signalGroupId, signalTo }: SignalOptions): string {
  if (signalGroupId !== undefined) return 'a Signal group';
  return signalTo === undefined ? 'Note to Self' : `a number ending in ${signalTo.slice(-2)}`;
}

function recipient({ signalGroupId, signalTo }: SignalOptions): string[] {
  if (signalGroupId !== undefined) return ['-g', signalGroupId];
  return signalTo === undefined ? ['--note-to-self'] : [signalTo];
}

/** A text that begins with a dash would be read as an option. */
function messageOf(text: string): string[] {
  return text.startsWith('-') ? [`--message=${text}`] : ['-m', text];
}

function run(options: SignalOptions, args: readonly string[], signal: AbortSignal): Promise<SignalExit> {
  const { promise, resolve } = Promise.withResolvers<SignalExit>();
  const deadline = AbortSignal.timeout(options.signalTimeoutMs);
  const child = spawn(options.signalCliPath, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    signal: AbortSignal.any([signal, deadline]),
    killSignal: 'SIGKILL',
    env: { PATH: process.env.PATH, HOME: process.env.HOME, JAVA_HOME: process.env.JAVA_HOME },
  });
  let stdout = '';
  let stderr = '';
  let started = false;
  child.once('spawn', () => {
    started = true;
  });
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    stdout = cut(stdout + chunk, MAX_REPORT_CHARS);
  });
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    stderr = cut(stderr + chunk, 10_000);
  });
  const end = (code: number | null, notStarted?: string) =>
    resolve({ code, stdout, stderr, notStarted, timedOut: signal.aborted || deadline.aborted });
  child.once('error', (error: NodeJS.ErrnoException) => {
    if (!started) end(null, error.code === 'ENOENT' ? 'it is not installed' : (error.code ?? error.message));
  });
  child.once('close', (code) => end(code));
  return promise;
}
