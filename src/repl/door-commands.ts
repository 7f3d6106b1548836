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
      if (from === 'chat' && !isForChats(shared, [line.name, ...line.words])) return async () => NOT_IN_CHATS;
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

type Need = ReturnType<DoorCommands['scopeOf']>;

type NeedRule = (given: ParsedWords) => Need;

/** A command that needs nothing more, or of which no form does. */
const FREE: NeedRule = () => undefined;

/**
 * Nobody gets more rights than they have: a program that may run commands lets nobody in, by whatever door, changes
 * nothing that Wooster obeys, and destroys nothing for ever; that is for a `page`. `approvals` looks at each call.
 *
 * What stands nowhere here, command or form, is for whoever has the `machine`: it reads or writes files by their paths,
 * starts programs, sets addresses, or concerns all homes of a store. Documents are sent instead.
 */
const NEEDS: Readonly<Partial<Record<string, Need | NeedRule>>> = {
  ...{ context: FREE, doctor: FREE, log: FREE, memory: FREE, notices: FREE, notify: FREE, quit: FREE, resume: FREE },
  ...{ save: FREE, sources: FREE, tools: FREE, undo: FREE, usage: FREE },
  approvals: 'approve',
  ...{ pair: 'page', devices: 'page' },
  channel: forms({ page: ['', 'list', 'pair', 'unpair'] }),
  hook: (given) => programNeed(given) ?? forms({ free: ['', 'list'], page: ['add', 'remove'] })(given),
  ingest: ({ args }) => (args.length > 0 ? 'machine' : undefined),
  help: ({ flags }) => (flags.web === true ? 'machine' : undefined),
  mcp: forms({ page: ['', 'list', 'enable', 'disable', 'remove', 'test', 'login', 'logout', 'resources', 'prompt'] }),
  models: forms({ free: ['', 'list', 'use', 'routing', 'try'] }),
  plugins: forms({ page: ['', 'list', 'enable', 'disable'] }),
  project: forms({ free: ['', 'list', 'create', 'use', 'show'], page: ['delete'] }),
  rag: forms({ free: ['search', 'test'] }),
  schedule: (given) => scheduleNeed(given),
  sessions: forms({ free: ['', 'list', 'search', 'rename', 'undo', 'branch', 'export'], page: ['delete'] }),
  skills: forms({ page: ['', 'list', 'trust', 'off'] }),
  think: (given) => thinkNeed(given),
};

/** Flags with the path of a file. */
const PATHS = ['out', 'output', 'queries', 'run', 'qrels'];

/** @param needs  the forms of a command by what they need; '' is the command alone. */
function forms({ free = [], page = [] }: { readonly free?: string[]; readonly page?: string[] }): NeedRule {
  return ({ args: [form = ''] }) => (free.includes(form) ? undefined : page.includes(form) ? 'page' : 'machine');
}

/** A program is named by a path, or is one of those in `programs/`, which the owner has agreed to. */
function isPath(program: unknown): boolean {
  return typeof program === 'string' && /[/\\]|\.tl$/u.test(program);
}

function programNeed({ flags }: ParsedWords): Need {
  return isPath(flags.program) ? 'machine' : undefined;
}

/** A pin decides about calls that nobody has seen, and a frozen job about runs. */
function scheduleNeed(given: ParsedWords): Need {
  if (given.args[0] === 'import') return 'machine';
  return given.flags.pin === true || given.args[0] === 'freeze' ? 'page' : programNeed(given);
}

/** Errors of a file quote its lines. */
function thinkNeed({ args: [form = '', program] }: ParsedWords): Need {
  if (isPath(program)) return 'machine';
  return forms({ free: ['run', 'list', 'explain', 'cost-report'], page: ['trust', 'untrust'] })({
    args: [form],
    flags: {},
  });
}

function scopeOf(commands: readonly CommandEntry[], [name = '', ...rest]: readonly string[]): Need {
  const known = findCommandOf(commands, name)?.name;
  if (known === undefined) return undefined;
  const need = Object.hasOwn(NEEDS, known) ? NEEDS[known] : 'machine';
  try {
    const { words } = parsed(commands, name, rest);
    if (PATHS.some((flag) => words.flags[flag] !== undefined)) return 'machine';
    return typeof need === 'function' ? need(words) : need;
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

/** Whoever writes as the owner decides nothing there that is for the page or the machine. */
function isForChats(commands: readonly CommandEntry[], words: readonly string[]): boolean {
  return findCommandOf(commands, words[0] ?? '')?.chats === true && scopeOf(commands, words) === undefined;
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
