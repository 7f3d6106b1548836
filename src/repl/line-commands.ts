import type { App } from '../face/app.ts';
import type { EditorCommands } from '../face/editor-door.ts';
import { errorEvent } from '../face/error-event.ts';
import { commandsFor, findCommand } from './command-list.ts';
import { COMMANDS } from './commands.gen.ts';
import { parseWords } from './flags.ts';
import { runCommand } from './run-command.ts';
import { printable, type Screen } from './screen.ts';
import { readLine } from './slash.ts';

/** The slash commands for a frontend that shows what they print as one text. What they ask is asked of nobody. */
export function lineCommands(app: App): EditorCommands {
  // What only the prompt has changes its session: a frontend has its own ways for that.
  const list = commandsFor(COMMANDS, 'slash').filter(({ only }) => only === undefined);
  return {
    list: list.map(({ name, summary, usage: [first = ''] }) => {
      return { name, description: summary, usage: first.slice(name.length).trim() };
    }),
    reads: (text) => {
      const line = readLine(text);
      if (line.kind !== 'command') return undefined;
      return async ({ mode, project, conversationId, signal }) => {
        const screen = new TextScreen();
        const view = { codeLog: false, showUsage: false, statusLine: false, ended: false };
        const session = { mode, project, conversationId, ...view, yes: false, json: false, interactive: false };
        try {
          const { command, before } = findCommand(list, line.name, 'slash');
          const words = parseWords([...before, ...line.words], command.flags ?? {});
          await runCommand(command, words, { place: 'slash', session, app, screen, signal });
        } catch (error) {
          const { message, hint } = errorEvent(error);
          screen.note(`${message} ${hint}`.trim());
        }
        return screen.text;
      };
    },
  };
}

/** Keeps what is written as one text. */
class TextScreen implements Screen {
  readonly isTerminal = false;
  readonly drafts = false;
  readonly columns = 100;
  readonly ink = { styles: false, unicode: true };
  text = '';

  line(text: string): void {
    this.text += `${printable(text)}\n`;
  }

  print(rows: readonly string[]): void {
    for (const row of rows) this.line(row);
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
