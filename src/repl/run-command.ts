import type { App } from './app.ts';
import type { CommandEntry, Place, Session } from './command.ts';
import { COMMANDS } from './commands.gen.ts';
import type { ParsedWords } from './flags.ts';
import { outputOn, type Screen } from './screen.ts';
import { exitCodeOf, takeTurn } from './take-turn.ts';
import { TurnView } from './turn-view.ts';

/** Where a command or a question runs: the same for all lines of a REPL but for the signal. */
export interface Stage {
  readonly place: Place;
  readonly session: Session;
  readonly app: App;
  readonly screen: Screen;
  /** Fires when this command is cancelled. */
  readonly signal: AbortSignal;
}

/** Load and run a command; rejects with whatever it throws. @returns its exit code. */
export async function runCommand(entry: CommandEntry, words: ParsedWords, stage: Stage): Promise<number> {
  const { place, session, app, screen, signal } = stage;
  const command = await entry.load();
  return command.run({
    place,
    session,
    app,
    signal,
    commands: COMMANDS,
    args: words.args,
    flags: words.flags,
    out: outputOn(screen, session.json),
    ask: (text, turnId) => askOn(stage, text, turnId),
  });
}

/** Answer a question and show it: as events with `--json`, drawn for a person otherwise. @returns the exit code. */
export async function askOn(stage: Stage, text: string, turnId?: string): Promise<number> {
  const { place, session, app, screen, signal } = stage;
  const out = outputOn(screen, session.json);
  const view = new TurnView(screen, {
    prefix: place === 'slash' ? 'Wooster: ' : '',
    codeLog: session.codeLog,
    showUsage: session.showUsage,
  });
  const answer = await takeTurn({
    text,
    turnId,
    origin: place === 'slash' ? 'repl' : 'cli',
    session,
    app,
    screen,
    signal,
    show: (event) => (session.json ? out.row(event) : view.show(event)),
  });
  if (place === 'argv') screen.note(`conversation ${session.conversationId}`);
  return exitCodeOf(answer);
}
