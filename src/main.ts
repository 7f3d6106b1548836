import type { Log } from './base/log.ts';
import { modeOf } from './base/turn.ts';
import type { Frontend } from './face/app.ts';
import type { EditorHome, EditorStreams } from './face/editor-door.ts';
import { type CommonFlags, type Invocation, readArgv } from './repl/argv.ts';
import type { Session } from './repl/command.ts';
import { COMMANDS } from './repl/commands.gen.ts';
import { completed, openTerminal } from './repl/open-terminal.ts';
import type { Opened } from './repl/repl.ts';
import { isPlain, lookOf, outputOn, PlainScreen, printable } from './repl/screen.ts';
import type { Terminal } from './repl/terminal.ts';
import { locateHome } from './settings/home.ts';

/** Exit codes as shells have them: 128 plus the number of the signal. */
const SIGNAL_CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;
type Signal = keyof typeof SIGNAL_CODES;
/** Service managers and container runtimes wait about this long before they kill a process. */
const END_WITHIN_MS = 1500;

/** The error reporter, loaded late: the prompt does not wait for it. */
let telling: typeof import('./face/error-event.ts') | undefined;

surviveClosedPipes();
const exitCode = await main(process.argv.slice(2));
await written();
process.exit(exitCode);

/**
 * Run one invocation and report what it throws: one line to stderr, and with `--json` an error event on stdout.
 *
 * @returns the exit code.
 */
async function main(argv: readonly string[]): Promise<number> {
  try {
    return await run(readArgv(argv));
  } catch (error) {
    const { errorEvent, exitCodeOfError } = await errors();
    const event = errorEvent(error);
    if (argv.includes('--json')) outputOn(new PlainScreen(), true).row(event);
    process.stderr.write(`${event.message} ${event.hint}\n`);
    return exitCodeOfError(error);
  }
}

async function errors(): Promise<typeof import('./face/error-event.ts')> {
  telling ??= await import('./face/error-event.ts');
  return telling;
}

/** Everything below loads its modules late: help and version must not wait for the agent. */
async function run(invocation: Invocation): Promise<number> {
  switch (invocation.kind) {
    case 'chat':
      return chat(invocation.common);
    case 'command':
      return oneShot(invocation);
    case 'version':
      process.stdout.write(`wooster ${(await import('./base/version.ts')).version()}\n`);
      return 0;
    case 'help':
      return showHelp(invocation);
    case 'site':
      return showSite(invocation);
  }
}

/** Run the REPL. The prompt appears before the agent's packages are loaded; lines typed in the meantime wait. */
async function chat(common: CommonFlags): Promise<number> {
  if (common.server !== undefined) return chatElsewhere(common.server, common);
  const home = locateHome(common.home);
  let loaded: Opened | undefined;
  const terminal = await openTerminal({
    historyFile: home.history,
    json: common.json,
    plain: common.plain,
    complete: (text, cursor) => completed(text, cursor, () => loaded),
  });
  if (terminal.interactive) {
    terminal.line('Wooster. Ask something, or /help.');
    terminal.prompt();
  }
  const frontend: Frontend = { announce: (text) => repl.announce(printable(text)), verbose: common.verbose };
  const { Repl } = await import('./repl/repl.ts');
  const opened = afterThePrompt().then(async () => {
    await errors();
    loaded = await open(common, frontend, { interactive: terminal.interactive });
    return loaded;
  });
  const repl = new Repl(terminal, opened);
  const signalled = onSignals((signal) => (signal === 'SIGINT' ? repl.interrupt() : repl.leave()));
  try {
    beginWork(opened, terminal);
    const code = await repl.run();
    return signalled() === 'SIGINT' ? code : exitCodeOfSignal(signalled(), code);
  } finally {
    terminal.close();
    await closeWhatOpened(opened);
  }
}

/** The prompt here, the program at the other end. */
async function chatElsewhere(server: string, common: CommonFlags): Promise<number> {
  await errors();
  const { remoteChat } = await import('./repl/remote/remote.ts');
  let signalled = (): Signal | undefined => undefined;
  const code = await remoteChat(server, common, (handle) => {
    signalled = onSignals(handle);
  });
  return signalled() === 'SIGINT' ? code : exitCodeOfSignal(signalled(), code);
}

/** Start due jobs and the outbox once everything is loaded. A failure to load is reported by `Repl.run`, not here. */
function beginWork(opened: Promise<Opened>, terminal: Terminal): void {
  opened
    .catch(() => undefined)
    .then(async (open) => {
      await open?.app.start(terminal.interactive ? 'prompt' : undefined);
      if (open && terminal.interactive) await openChats(open);
      const { brokenPluginsLine } = await import('./repl/broken-plugins.ts');
      const broken = brokenPluginsLine(open?.app.tools.plugins.list() ?? []);
      if (broken !== undefined) terminal.note(broken);
    })
    .catch(async (error: unknown) => {
      const { message, hint } = (await errors()).errorEvent(error);
      terminal.note(`${message} ${hint}`);
    });
}

async function openChats(opened: Opened): Promise<void> {
  await opened.app.doors.openChats(await doorOf(opened));
}

/** What a frontend of another kind than the terminal is opened with. */
async function doorOf({ app, session: { mode, project } }: Opened): Promise<EditorHome> {
  const { doorCommands } = await import('./repl/door-commands.ts');
  return { app, commands: doorCommands(app), mode, project };
}

/** Loading the agent blocks the event loop for a while, so let the prompt be written first. */
function afterThePrompt(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Run one command and exit. A signal gives it a moment to clean up, a second one none. */
async function oneShot(invocation: Invocation & { kind: 'command' }): Promise<number> {
  await errors();
  const { common } = invocation;
  const cancel = new AbortController();
  const signalled = onSignals((signal) => {
    if (signal === 'SIGINT') endInTime(signal);
    if (cancel.signal.aborted) {
      screen.close();
      dieBy(signal);
    }
    cancel.abort(new Error('cancelled'));
  });
  const screen = new PlainScreen(
    lookOf(process.stdout, process.env, common.json || common.plain || isPlain(process.env)),
  );
  try {
    const code = await runInvocation(invocation, { screen, signal: cancel.signal });
    // A signal is the normal end of some commands, like `serve`.
    return code === 0 ? 0 : exitCodeOfSignal(signalled(), code);
  } finally {
    screen.close();
  }
}

interface Run {
  readonly screen: PlainScreen;
  readonly signal: AbortSignal;
}

/** Without the program where that is enough; else with it, opened anew as often as a command that lasts needs. */
async function runInvocation(invocation: Invocation & { kind: 'command' }, run: Run): Promise<number> {
  const { command, words, common } = invocation;
  const { screen, signal } = run;
  if (common.server !== undefined)
    return (await import('./repl/remote/remote.ts')).remoteCommand(common.server, invocation, run);
  const home = locateHome(common.home);
  const frontend: Frontend = { announce: (text) => screen.note(printable(text)), ...common };
  if (command.bare) {
    const places = { ...home, usual: locateHome(undefined, {}).dir };
    const serveEditor = (streams: EditorStreams) =>
      serveOpening(streams, () => open(common, frontend, { interactive: false }));
    const call = { ...words, home: places, settingNames, serveEditor, out: outputOn(screen, common.json), signal };
    const code = await (await command.load()).runBare?.(call);
    if (code !== undefined) return code;
  }
  const { runCommand } = await import('./repl/run-command.ts');
  const program = {
    open: () =>
      open(common, frontend, { interactive: false, mends: command.mends === true, lasts: command.lasts === true }),
    run: ({ app, session }: Opened) => runCommand(command, words, { place: 'argv', session, app, screen, signal }),
    close: ({ app }: Opened) => app.close(),
  };
  if (command.lasts) {
    const { keepServing } = await import('./repl/serving/keep-serving.ts');
    return keepServing({ ...program, homeDir: home.dir, say: (text) => screen.note(text), signal });
  }
  const opened = await program.open();
  try {
    return await program.run(opened);
  } finally {
    await program.close(opened);
  }
}

/** Serve an editor. It has its first answer before the program is loaded, as a person has the prompt. */
async function serveOpening(streams: EditorStreams, load: () => Promise<Opened>): Promise<void> {
  const { serveEditor } = await import('./server/acp/serve.ts');
  let opened: Promise<Opened> | undefined;
  const openHome = async () => {
    opened = load();
    return doorOf(await opened);
  };
  try {
    await serveEditor({ ...streams, open: openHome });
  } finally {
    if (opened) await closeWhatOpened(opened);
  }
}

async function settingNames(): Promise<readonly string[]> {
  return (await import('./settings/table.ts')).settingNames();
}

/** Load the settings and build the app. Both are imported here, because importing them is what takes time. */
async function open(
  common: CommonFlags,
  frontend: Frontend,
  { interactive, ...needs }: { readonly interactive: boolean; readonly mends?: boolean; readonly lasts?: boolean },
): Promise<Opened> {
  const { loadSettings } = await import('./settings/settings.ts');
  const settings = loadSettings(common.home);
  const { createApp } = await import('./app.ts');
  const app = await createApp(settings, frontend, { ownsProcess: true, ...needs });
  logUnexpected(app.home.log);
  const session: Session = {
    ...modeOf(common.mode ?? settings.agent.chatMode),
    project: common.project ?? app.knowledge.projects.active(),
    conversationId: common.conversationId,
    codeLog: settings.codeAgent.log,
    showUsage: false,
    statusLine: settings.program.statusLine,
    ended: false,
    yes: common.yes,
    json: common.json,
    interactive,
  };
  return { app, session };
}

/** Crashes and warnings go to the log; users cannot act on warnings from Node and packages, so these go only there. */
function logUnexpected(log: Log): void {
  process.prependListener('uncaughtException', (error) => log.error('uncaught', { error: error.stack }));
  process.removeAllListeners('warning');
  process.on('warning', (warning) => log.warn('warning', { error: warning.stack }));
}

/** Nothing to close when loading failed; that failure is reported elsewhere. */
async function closeWhatOpened(opened: Promise<Opened>): Promise<void> {
  const result = await opened.catch(() => undefined);
  await result?.app.close();
}

/** Help on one command, on all, or on those of the first week. */
async function showHelp({ about, json }: Invocation & { kind: 'help' }): Promise<number> {
  const { explain, overview } = await import('./repl/help-text.ts');
  const out = outputOn(new PlainScreen(), json);
  if (about === undefined || about === 'all') overview(COMMANDS, { place: 'argv', all: about === 'all' }, out);
  else explain(about, 'argv', out);
  return 0;
}

/** The docs need neither settings nor a home. */
async function showSite({ folder, json }: Invocation & { kind: 'site' }): Promise<number> {
  const { openSite } = await import('./repl/docs-site/open-site.ts');
  return openSite({ folder, opens: process.stdout.isTTY && !json }, outputOn(new PlainScreen(), json));
}

/**
 * Handle signals. SIGTERM and SIGHUP end the program in time, even when something hangs.
 *
 * @returns a function that gives the last signal received, if any.
 */
function onSignals(handle: (signal: Signal) => void): () => Signal | undefined {
  let received: Signal | undefined;
  for (const signal of Object.keys(SIGNAL_CODES) as Signal[]) {
    process.on(signal, () => {
      received = signal;
      if (signal !== 'SIGINT') endInTime(signal);
      handle(signal);
    });
  }
  return () => received;
}

function endInTime(signal: Signal): void {
  setTimeout(() => dieBy(signal), END_WITHIN_MS).unref();
}

/**
 * End now, as a program without handlers would. `process.exit` ends the threads first, and ending one inside a native
 * call aborts the process. The next start finds the turn that was running, and treats it as interrupted.
 */
function dieBy(signal: Signal): void {
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
}

/** The exit code of a signal takes precedence over that of the command that it ended. */
function exitCodeOfSignal(signal: Signal | undefined, otherwise: number): number {
  return signal === undefined ? otherwise : SIGNAL_CODES[signal];
}

/** Flush: a pipe takes 64 KiB at a time, and output that is still buffered would be lost with the process. */
async function written(): Promise<void> {
  for (const stream of [process.stdout, process.stderr])
    if (stream.writableLength > 0) await new Promise<void>((done) => stream.write('', () => done()));
}

/** `wooster ... | head` closes our output early: that is not an error. */
function surviveClosedPipes(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
  }
  process.on('uncaughtException', (error) => {
    // At once: after an unexpected fault, nothing may continue.
    process.stderr.write(`${telling?.errorEvent(error).message ?? 'The program failed while it was loading.'}\n`);
    process.exit(1);
  });
}
