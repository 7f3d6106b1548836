import type { CommonFlags, Invocation } from '../argv.ts';
import { badUsage } from '../flags.ts';
import { openTerminal } from '../open-terminal.ts';
import type { PlainScreen } from '../screen.ts';
import { DoorClient } from './door-client.ts';
import { RemoteRepl } from './remote-repl.ts';
import { type RemoteSession, remoteTurn } from './remote-turn.ts';

/** The prompt, with all that answers at the other end of `--server`. */
export async function remoteChat(
  server: string,
  common: CommonFlags,
  onSignal: (handle: (signal: string) => void) => void,
): Promise<number> {
  const client = new DoorClient(server, process.env.WOOSTER_SERVER_TOKEN);
  const terminal = await openTerminal({
    ...{ json: common.json, plain: common.plain },
    complete: (text, cursor) => client.complete(text, cursor, common.project),
  });
  const repl = new RemoteRepl(terminal, client, sessionOf(common));
  onSignal((signal) => (signal === 'SIGINT' ? repl.interrupt() : repl.leave()));
  if (terminal.interactive) terminal.line(`Wooster at ${new URL(server).host}. Ask something, or /help.`);
  try {
    return await repl.run();
  } finally {
    terminal.close();
    await client.close();
  }
}

/** One command at the other end. */
export async function remoteCommand(
  server: string,
  { command, words, common, said }: Invocation & { readonly kind: 'command' },
  { screen, signal }: { readonly screen: PlainScreen; readonly signal: AbortSignal },
): Promise<number> {
  const client = new DoorClient(server, process.env.WOOSTER_SERVER_TOKEN);
  const session = sessionOf(common);
  try {
    const asks = process.stdin.isTTY === true && screen.isTerminal && !session.json;
    if (command.name === 'ask')
      return await remoteTurn({ client, session, screen, signal, asks, prefix: '' }, questionIn(words));
    const { project, conversationId } = session;
    const done = await client.command(said, common.json ? 'rows' : 'text', { project, conversationId }, signal);
    screen.print(done.rows.map((row) => JSON.stringify(row)));
    if (done.text !== '') (done.code === 0 ? screen.line : screen.note).call(screen, done.text.trimEnd());
    return done.code;
  } finally {
    await client.close();
  }
}

/** Files are of this machine, where the other end cannot read them. */
function questionIn({ args, flags }: (Invocation & { readonly kind: 'command' })['words']): string {
  const text = args.join(' ').trim();
  if (text === '' || text === '-') throw badUsage('There is no question.', 'Usage: wooster --server URL ask "TEXT"');
  const own = ['file', 'output', 'schema'].find((name) => flags[name] !== undefined);
  if (own !== undefined) throw badUsage(`--${own} does not reach a server.`, 'Ask without it.');
  return text;
}

function sessionOf({ project, conversationId, json }: CommonFlags): RemoteSession {
  return { project, conversationId, json };
}
