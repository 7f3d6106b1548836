import { spawn } from 'node:child_process';
import { sha256 } from '../../base/json.ts';
import { cut } from '../../base/text.ts';
import { type Attempt, type ChannelDeps, defineChannel, type OptionValues } from '../channel.ts';
import { utf8Bytes } from '../split.ts';
import { type SignalDaemon, sendByDaemon } from './signal-daemon.ts';
import { chatParams, readMessageId, signalInbound } from './signal-inbound.ts';
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
  signalDaemonUrl: {
    kind: 'url',
    key: 'signal.daemonUrl',
    env: 'SIGNAL_DAEMON_URL',
    about: 'A signal-cli that runs as a daemon, http://127.0.0.1:8080; it alone may use the account, and can receive.',
    without: 'signal-cli is started for each message, and nothing can be received',
  },
  signalTo: {
    kind: 'text',
    key: 'signal.to',
    env: 'SIGNAL_TO',
    about: 'Number that Signal notices go to.',
    without: 'the account that was paired first (`wooster channel pair signal`), else Note to Self',
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
  receives: {
    ...{ words: true, buttons: false, edits: false, typing: true, live: true, reactions: true },
    ...{ files: true, forwards: false, groups: true },
  },
  connect: (options, deps) => {
    const daemon = daemonOf(options, deps);
    const usual = (): Place => {
      const { signalGroupId, signalTo } = options;
      if (signalGroupId !== undefined) return { group: signalGroupId };
      if (signalTo !== undefined) return { number: signalTo };
      const chat = daemon && deps.pairedChat?.('signal');
      return chat === undefined ? { self: true } : { chat };
    };
    return {
      health: () => ({
        configured: options.signalNumber !== undefined,
        detail: options.signalNumber === undefined ? 'set SIGNAL_CLI_NUMBER' : describe(usual()),
      }),
      recipient: (chat) => identify(chat === undefined ? usual() : { chat }),
      send: async (text, abort, attempt) => {
        if (options.signalNumber === undefined) return { state: 'failed', detail: 'SIGNAL_CLI_NUMBER is not set' };
        const to = attempt?.chat === undefined ? usual() : { chat: attempt.chat };
        const only = attempt?.only;
        if (daemon) {
          const limits = { signal: abort, totalMs: options.signalTimeoutMs };
          return sendByDaemon(
            daemon,
            { ...paramsOf(to, daemon), ...(only && { recipient: only }), ...quoteOf(attempt), message: text },
            limits,
          );
        }
        const command = ['-o', 'json', '-a', options.signalNumber, 'send'];
        const exit = await run(options, [...command, ...(only ?? argumentsOf(to)), ...messageOf(text)], abort);
        // The exit code stands for all recipients together and differs between versions, so the report goes first.
        const report = findReport(exit.stdout);
        return report ? readReport(report) : readExit(exit);
      },
      inbound: daemon && signalInbound(daemon, deps),
      toReceive: daemon ? undefined : 'run signal-cli as a daemon and set SIGNAL_DAEMON_URL',
    };
  },
});

function daemonOf(
  { signalNumber: account, signalDaemonUrl: url }: SignalOptions,
  { gateway }: ChannelDeps,
): SignalDaemon | undefined {
  return account === undefined || url === undefined ? undefined : { url, account, gateway };
}

/** Which message it answers. */
function quoteOf({ chat, replyTo }: Partial<Attempt> = {}) {
  if (chat === undefined || replyTo === undefined) return {};
  const { author, time } = readMessageId(replyTo, chat);
  return { quoteAuthor: author, quoteTimestamp: time };
}

/** Where a message goes. */
type Place =
  | { readonly group: string }
  | { readonly number: string }
  | { readonly chat: string }
  | { readonly self: true };

function describe(to: Place): string {
  if ('group' in to) return 'a Signal group';
  if ('number' in to) return `a number ending in ${to.number.slice(-2)}`;
  return 'chat' in to ? 'the account that was paired' : 'Note to Self';
}

function identify(to: Place): string {
  return 'chat' in to ? sha256(to.chat).slice(0, 16) : describe(to);
}

/** What comes to oneself as an ordinary message makes a sound on the phone. */
function paramsOf(to: Place, { account }: SignalDaemon): Readonly<Record<string, unknown>> {
  if ('group' in to) return { groupId: to.group };
  if ('chat' in to) return { ...chatParams(to.chat), notifySelf: true };
  return { recipient: ['number' in to ? to.number : account], notifySelf: true };
}

function argumentsOf(to: Place): readonly string[] {
  if ('group' in to) return ['-g', to.group];
  if ('number' in to) return [to.number];
  return 'chat' in to ? [to.chat] : ['--note-to-self'];
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
