import type { App } from './app.ts';
import type { Command, CommandCall, Session } from './command.ts';
import type { ParsedWords } from './flags.ts';
import { outputOn, type Screen } from './screen.ts';
import { exitCodeOf, takeTurn } from './take-turn.ts';
import { TurnView } from './turn-view.ts';

export interface Stage {
  readonly place: CommandCall['place'];
  readonly session: Session;
  readonly app: App;
  readonly screen: Screen;
  readonly signal: AbortSignal;
}

/** Run a command on a stage. Rejects with what the command threw. */
export function runCommand(command: Command, words: ParsedWords, stage: Stage): Promise<number> {
  const { place, session, app, screen, signal } = stage;
  return command.run({
    place,
    session,
    app,
    signal,
    args: words.args,
    flags: words.flags,
    out: outputOn(screen, session.json),
    ask: (text, turnId) => askOn(stage, text, turnId),
  });
}

/** Answer a question and show it: as events with `--json`, else drawn for a person. */
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
