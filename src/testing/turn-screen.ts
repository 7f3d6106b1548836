import type { TurnEvent } from '../base/turn.ts';
import { AnswerDraft } from '../repl/markdown/answer-draft.ts';
import { TurnView } from '../repl/turn-view.ts';
import { type LiveScreen, type LiveScreenOptions, openLiveScreen } from './live-screen.ts';

/** A terminal on which a turn is shown. */
export interface TurnScreen extends LiveScreen {
  show(...events: TurnEvent[]): void;
  /** Show an answer, token by token. */
  stream(text: string, size?: number): void;
}

/** Open a terminal with the view of one turn on it; a line has been sent and is being answered. */
export function openTurnScreen(options: LiveScreenOptions & { readonly codeLog?: boolean } = {}): TurnScreen {
  const screen = openLiveScreen(options);
  const { terminal } = screen;
  const view = new TurnView(
    terminal,
    { prefix: 'Wooster: ', codeLog: options.codeLog ?? false },
    (prefix, changed) => new AnswerDraft(prefix, terminal.ink, changed),
  );
  const show = (...events: TurnEvent[]) => {
    for (const event of events) view.show(event);
  };
  const stream = (text: string, size = 4) => {
    for (let at = 0; at < text.length; at += size) show({ type: 'token', text: text.slice(at, at + size) });
  };
  return Object.defineProperties({ show, stream } as TurnScreen, Object.getOwnPropertyDescriptors(screen));
}
