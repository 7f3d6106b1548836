import type { App } from '../face/app.ts';
import type { AskedDoor, CommandPlace, CommandResult, DoorCommands } from '../face/doors.ts';
import { errorEvent, exitCodeOfError } from '../face/error-event.ts';
import type { CommandEntry, Session } from './command.ts';
import { findCommand } from './command-list.ts';
import { served } from './commands/mcp-serve.ts';
import { COMMANDS } from './commands.gen.ts';
import { completionSources } from './completion-sources.ts';
import { complete } from './edit/complete.ts';
import { type ParsedWords, parseWords } from './flags.ts';
import { runCommand } from './run-command.ts';
import { printable, type Screen } from './screen.ts';
import { readLine } from './slash.ts';

/** The commands for a frontend of another kind than the terminal. What they ask is asked of nobody. */
export function doorCommands(app: App): DoorCommands {
  // What only the prompt has changes its session: a frontend has its own ways for that.
  const shared = COMMANDS.filter(({ only }) => only === undefined);
  return {
    list: shared.map(({ name, summary, usage: [first = ''] }) => {
      return { name, description: summary, usage: first.slice(name.length).trim() };
    }),
    reads: (text, from) => {
      const line = readLine(text);
      if (line.kind !== 'command') return undefined;
      if (from === 'chat' && !isForChats(shared, line.name)) return async () => NOT_IN_CHATS;
      return async (place) => {
        const { text: printed } = await run(app, shared, [line.name, ...line.words], { ...place, json: false });
        return printed;
      };
    },
    run: (words, place, as = 'rows') => run(app, shared, words, { ...place, json: as === 'rows' }),
    complete: async (line, cursor, place) => {
      const sources = completionSources(() => ({ app, session: sessionAt(place, false) }));
      const offered = sources.commands.filter(({ name }) => shared.some((each) => each.name === name));
      return complete(line, cursor, { ...sources, commands: offered });
    },
    scopeOf: (words) => scopeOf(shared, words),
  };
}

/** All that a door over HTTP is opened with. */
export function askedDoor(app: App, { mode, project }: Pick<Session, 'mode' | 'project'>): Omit<AskedDoor, 'address'> {
  const session = { mode, project };
  return {
    commands: doorCommands(app),
    served: (conversationId, signal) => served({ app, session, signal }, conversationId),
    mode,
    project,
  };
}

type MoreScope = ReturnType<DoorCommands['scopeOf']>;

type ScopeRule = (given: ParsedWords) => MoreScope;

/**
 * Nobody gets more rights than they have. A program that may run commands lets nobody in, by whatever door, and changes
 * nothing that Wooster obeys; it reads and writes no file of this machine by its path, and destroys nothing for ever.
 * `approvals` looks at each call.
 */
const SCOPES: Readonly<Partial<Record<string, MoreScope | ScopeRule>>> = {
  approvals: 'approve',
  ...{ pair: 'page', devices: 'page', channel: 'page', hook: forms('add', 'remove') },
  ...{ mcp: 'page', plugins: 'page', skills: 'page', workspace: 'page', trust: 'page' },
  // Files of this machine: documents are sent instead.
  ...{ report: 'page', backup: 'page', store: 'page', models: forms('install', 'remove') },
  ingest: ({ args }) => (args.length > 0 ? 'page' : undefined),
  rag: forms('import', 'run', 'eval'),
  // What of it makes a file one that is called, changes files, or shows their lines.
  think: forms('trust', 'untrust', 'compile', 'fmt', 'test', 'check'),
  // They bring nothing back.
  ...{ sessions: forms('delete'), project: forms('delete') },
  // A pin decides about calls that nobody has seen, and a frozen job about runs.
  schedule: (given) => (given.flags.pin === true ? 'page' : forms('import', 'freeze')(given)),
};

/** These forms are for a page, and whatever writes to a file. */
function forms(...names: readonly string[]): ScopeRule {
  return ({ args: [form = ''], flags }) => (names.includes(form) || flags.out !== undefined ? 'page' : undefined);
}

function scopeOf(commands: readonly CommandEntry[], [name = '', ...rest]: readonly string[]): MoreScope {
  const rule = SCOPES[findCommandOf(commands, name)?.name ?? ''];
  if (typeof rule !== 'function') return rule;
  try {
    return rule(parsed(commands, name, rest).words);
  } catch {
    // It does not run either.
    return undefined;
  }
}

/** @throws AssistantError `bad_usage`. */
function parsed(commands: readonly CommandEntry[], name: string, rest: readonly string[]) {
  const { command, before } = findCommand(commands, name, 'slash');
  return { command, words: parseWords([...before, ...rest], command.flags ?? {}) };
}

const NOT_IN_CHATS = 'This command is for the terminal or the page. Plain words do most of it: write what you need.';

function isForChats(commands: readonly CommandEntry[], word: string): boolean {
  return findCommandOf(commands, word)?.chats === true;
}

/** The command that a word stands for; undefined where it stands for none. */
function findCommandOf(commands: readonly CommandEntry[], word: string): CommandEntry | undefined {
  const named = ({ name, aliases = {} }: CommandEntry) => name === word || Object.hasOwn(aliases, word);
  return commands.find(named);
}

async function run(
  app: App,
  commands: readonly CommandEntry[],
  [name = '', ...rest]: readonly string[],
  { json, ...place }: CommandPlace & { readonly json: boolean },
): Promise<CommandResult> {
  const { signal } = place;
  const screen = new TextScreen();
  const session = sessionAt(place, json);
  try {
    const { command, words } = parsed(commands, name, rest);
    const code = await runCommand(command, words, { place: 'slash', session, app, screen, signal });
    return { code, rows: json ? screen.rows() : [], text: screen.text };
  } catch (error) {
    const { code, message, hint } = errorEvent(error);
    screen.note(`${message} ${hint}`.trim());
    return { code: exitCodeOfError(error), rows: [], text: screen.text, problem: { code, message, hint } };
  }
}

function sessionAt({ mode, project, conversationId }: CommandPlace, json: boolean): Session {
  const view = { codeLog: false, showUsage: false, statusLine: false, ended: false };
  return { mode, project, conversationId, ...view, yes: false, json, interactive: false };
}

/** Keeps what is written as one text. */
class TextScreen implements Screen {
  readonly isTerminal = false;
  readonly drafts = false;
  readonly columns = 100;
  readonly ink = { styles: false, unicode: true };
  text = '';
  readonly #rows: string[] = [];

  /** What was printed as JSON. */
  rows(): readonly unknown[] {
    return this.#rows.map((row) => JSON.parse(row));
  }

  line(text: string): void {
    this.text += `${printable(text)}\n`;
  }

  print(rows: readonly string[]): void {
    this.#rows.push(...rows);
  }

  note(text: string): void {
    this.line(text);
  }

  draft(): void {}

  activity(): void {}

  progress(): void {}

  copy(): boolean {
    return false;
  }

  async ask(): Promise<undefined> {
    return undefined;
  }

  async choose(): Promise<undefined> {
    return undefined;
  }
}
