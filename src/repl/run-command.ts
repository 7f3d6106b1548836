import { newId } from '../base/ids.ts';
import type { TurnEvent } from '../base/turn.ts';
import type { App } from '../face/app.ts';
import { approveOn } from './approval.ts';
import type { AskMore, CommandEntry, Place, Session } from './command.ts';
import { COMMANDS } from './commands.gen.ts';
import type { ParsedWords } from './flags.ts';
import { outputOn, type Screen } from './screen.ts';
import { exitCodeOf, takeTurn } from './take-turn.ts';
import { TurnView, type TurnViewOptions } from './turn-view.ts';

/** Where a command or a question runs: the same for all lines of a REPL but for the signal. */
export interface Stage {
  readonly place: Place;
  readonly session: Session;
  readonly app: App;
  readonly screen: Screen;
  /** Fires when this command is cancelled. */
  readonly signal: AbortSignal;
  /** The person's words for the running turn; each is returned once. */
  readonly steering?: () => readonly string[];
  /** Gets every event of a turn besides the view. */
  readonly see?: (event: TurnEvent) => void;
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
    approve: (request) => approveOn(screen, session, request, signal),
    ask: (text, more) => askOn(stage, text, more),
  });
}

/** Events that carry words of the answer. */
const ANSWERS: ReadonlySet<TurnEvent['type']> = new Set(['token', 'output', 'answer']);

/** Answer a question and show it: as events with `--json`, drawn for a person otherwise. @returns the exit code. */
export async function askOn(stage: Stage, text: string, more: AskMore = {}): Promise<number> {
  const { place, session, app, screen, signal, steering } = stage;
  const out = outputOn(screen, session.json);
  const view = shownWhenReady(turnView(stage));
  session.conversationId ??= newId('conv');
  let refused = false;
  // Before the answer, so that a conversation whose turn is stopped can be continued.
  if (place === 'argv') screen.note(`conversation ${session.conversationId}`);
  try {
    const turn = takeTurn({
      ...{ text, session, app, screen, signal, steering },
      turnId: more.turnId,
      material: more.material,
      wishes: more.wishes,
      origin: place === 'slash' ? 'repl' : 'cli',
      show: (event) => {
        stage.see?.(event);
        refused ||= isRefusedChange(event, app);
        if (session.json) out.row(event);
        else if (!more.answered || !ANSWERS.has(event.type)) view.show(event);
      },
    });
    if (!session.json) screen.activity('thinking');
    const answer = await turn;
    await view.done;
    more.answered?.(answer.text);
    if (answer.stop === 'step_limit') {
      screen.note(`It can go on: ${place === 'slash' ? '/resume' : 'wooster resume'} ${session.conversationId}`);
    }
    return refused ? 1 : exitCodeOf(answer);
  } finally {
    screen.activity(undefined);
  }
}

/** A change that a home that cannot be written did not take: the answer says so, and the exit code has to as well. */
function isRefusedChange(event: TurnEvent, { store, tools }: App): boolean {
  if (!store.unkept || event.type !== 'tool' || event.ok) return false;
  return tools.toolbox.find(event.name)?.policy.effect !== 'none';
}

/** The view of a turn. The Markdown renderer is loaded only for a terminal, while the model is being asked. */
function turnView({ place, session, screen }: Stage): Promise<TurnView> {
  const { codeLog, showUsage } = session;
  return viewOn(screen, { prefix: place === 'slash' ? 'Wooster: ' : '', codeLog, showUsage });
}

/** The view of a turn, wherever it runs. */
export async function viewOn(screen: Screen, options: TurnViewOptions): Promise<TurnView> {
  if (!screen.drafts) return new TurnView(screen, options);
  const { AnswerDraft } = await import('./markdown/answer-draft.ts');
  return new TurnView(screen, options, (prefix, changed) => new AnswerDraft(prefix, screen.ink, changed));
}

/** Events wait until the view is there, and keep their order. */
function shownWhenReady(loading: Promise<TurnView>): { show(event: TurnEvent): void; done: Promise<void> } {
  const waiting: TurnEvent[] = [];
  let view: TurnView | undefined;
  const done = loading.then((loaded) => {
    view = loaded;
    for (const event of waiting) loaded.show(event);
  });
  return { done, show: (event) => (view ? view.show(event) : void waiting.push(event)) };
}
