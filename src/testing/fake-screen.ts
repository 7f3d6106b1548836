import { setTimeout as sleep } from 'node:timers/promises';
import { CHOICE_MS } from '../repl/prompt/state.ts';
import { chooseByLine, type Screen } from '../repl/screen.ts';

/** A screen that nothing can be drawn on twice, as a pipe is. It keeps what was written. */
export interface FakeScreen extends Screen {
  text: string;
  notes: string;
}

/**
 * @param replies  what is answered to each question; nobody answers further ones.
 * @param readingMs  how long a question is read before it is answered.
 */
export function fakeScreen({
  isTerminal = false,
  replies = [],
  readingMs = CHOICE_MS + 50,
}: {
  readonly isTerminal?: boolean;
  readonly replies?: readonly (string | undefined)[];
  readonly readingMs?: number;
} = {}): FakeScreen {
  const left = [...replies];
  const screen: FakeScreen = {
    isTerminal,
    drafts: false,
    columns: 80,
    ink: { styles: false, unicode: false },
    text: '',
    notes: '',
    line: (text) => {
      screen.text += `${text}\n`;
    },
    print: (rows) => {
      screen.text += rows.map((row) => `${row}\n`).join('');
    },
    note: (text) => {
      screen.notes += `${text}\n`;
    },
    draft: () => {},
    activity: () => {},
    progress: () => {},
    copy: () => false,
    ask: () => sleep(readingMs, left.shift()),
    choose: (choice, signal) => chooseByLine(screen, choice, signal),
  };
  return screen;
}
