import type { App } from '../face/app.ts';
import type { CommandPlace, CommandResult, DoorCommands } from '../face/doors.ts';
import { errorEvent, exitCodeOfError } from '../face/error-event.ts';
import type { CommandEntry } from './command.ts';
import { findCommand } from './command-list.ts';
import { COMMANDS } from './commands.gen.ts';
import { parseWords } from './flags.ts';
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
    run: (words, place) => run(app, shared, words, { ...place, json: true }),
    decides: ([name = '']) => findCommandOf(shared, name)?.name === 'approvals',
  };
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
  { mode, project, conversationId, signal, json }: CommandPlace & { readonly json: boolean },
): Promise<CommandResult> {
  const screen = new TextScreen();
  const view = { codeLog: false, showUsage: false, statusLine: false, ended: false };
  const session = { mode, project, conversationId, ...view, yes: false, json, interactive: false };
  try {
    const { command, before } = findCommand(commands, name, 'slash');
    const words = parseWords([...before, ...rest], command.flags ?? {});
    const code = await runCommand(command, words, { place: 'slash', session, app, screen, signal });
    return { code, rows: json ? screen.rows() : [], text: screen.text };
  } catch (error) {
    const { message, hint } = errorEvent(error);
    screen.note(`${message} ${hint}`.trim());
    return { code: exitCodeOfError(error), rows: [], text: screen.text };
  }
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
