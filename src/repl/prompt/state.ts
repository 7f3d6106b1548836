import { cleared, type Editor, EMPTY_EDITOR, wholeText, withText } from '../edit/editor.ts';
import type { HistoryEntry, Recall, Search } from '../edit/history.ts';

/** A message for Wooster, as it is sent and as it is shown: long pastes are a placeholder there. */
export interface Sent {
  readonly text: string;
  readonly shown: string;
}

/** One line of the completion menu. */
export interface Completion {
  /** What the word becomes. */
  readonly value: string;
  /** A short explanation. */
  readonly note?: string | undefined;
}

/** The completions of a word. */
export interface Completions {
  /** Offset of the word's start; it ends at the cursor. */
  readonly from: number;
  readonly items: readonly Completion[];
}

/** The open menu. */
export interface Menu extends Completions {
  /** -1: none, and Enter sends the line as it is. */
  readonly selected: number;
}

/** Keys count for a choice only when it has been on the screen for this long. */
export const CHOICE_MS = 300;

/** One answer to a choice. */
export interface ChoiceOption {
  /** The letter that picks it. */
  readonly key: string;
  readonly label: string;
}

/** Something to decide: an approval. */
export interface Choice {
  /** The lines that describe it. */
  readonly text: string;
  readonly question: string;
  readonly options: readonly ChoiceOption[];
  /** The letter that Esc and a premature Enter stand for. */
  readonly safe: string;
}

/** The choice on the screen. */
export interface OpenChoice extends Choice {
  /** Nothing depends on it: letters select and Enter accepts, so that the start of a sentence cannot answer it. */
  readonly offered: boolean;
  /** Text typed while it is offered: perhaps the beginning of a sentence. */
  readonly typed: string;
  readonly selected: number;
  /** From when keys count, in ms: earlier ones were not meant for it. */
  readonly countsFromMs: number;
  /** How many are open, including this one. */
  readonly open: number;
}

/** The whole state of the prompt; a value, changed by `press` and the functions below. */
export interface PromptState {
  readonly editor: Editor;
  /** Oldest first. */
  readonly entries: readonly HistoryEntry[];
  readonly project: string | undefined;
  readonly recall: Recall | undefined;
  readonly search: Search | undefined;
  readonly menu: Menu | undefined;
  /** Sent while something was running; they wait for their turn. */
  readonly queue: readonly Sent[];
  /** A question that the next line answers; what was being typed waits. */
  readonly question: { readonly text: string; readonly aside: Editor } | undefined;
  readonly choice: OpenChoice | undefined;
  /** Nobody waits for a line, so the next one is queued. */
  readonly running: boolean;
  /** A hint for the person, removed by the next key. */
  readonly hint: string | undefined;
  /** Ctrl-X was pressed. */
  readonly chord: boolean;
}

/** What a key asks the terminal to do. */
export type Effect =
  | { readonly kind: 'submit'; readonly sent: Sent }
  | { readonly kind: 'steer'; readonly text: string }
  /** The answer to a question; undefined when it was declined. */
  | { readonly kind: 'answer'; readonly text: string | undefined }
  | { readonly kind: 'choose'; readonly key: string }
  /** Keep a line that was sent for later sessions. */
  | { readonly kind: 'remember'; readonly entry: HistoryEntry }
  /** Ctrl-C with nothing to clear. */
  | { readonly kind: 'interrupt' }
  /** Esc while something runs. */
  | { readonly kind: 'stop' }
  | { readonly kind: 'leave' | 'suspend' | 'external-editor' }
  /** Look up what the word at the cursor can become. @param asked  by Tab. */
  | { readonly kind: 'complete'; readonly asked: boolean };

export interface Pressed {
  readonly state: PromptState;
  readonly effects: readonly Effect[];
}

/** What else the meaning of a key depends on. */
export interface Window {
  readonly columns: number;
  readonly rows: number;
  readonly nowMs: number;
}

/** A prompt with nothing typed yet. */
export function newPrompt(entries: readonly HistoryEntry[]): PromptState {
  return {
    ...{ editor: EMPTY_EDITOR, entries, project: undefined, recall: undefined, search: undefined, menu: undefined },
    ...{ queue: [], question: undefined, choice: undefined, running: true, hint: undefined, chord: false },
  };
}

/** Cells for the text being edited: a row minus the prompt and the last column, which stays empty. */
export function editWidth(columns: number): number {
  return Math.max(4, columns - 3);
}

/** The same prompt with another line; menu, search and recall are reset. */
export function withEditor(state: PromptState, editor: Editor): PromptState {
  return { ...state, editor, recall: undefined, menu: undefined };
}

/** Open a question: the line being typed is put aside. */
export function withQuestion(state: PromptState, text: string): PromptState {
  const aside = state.question?.aside ?? state.editor;
  return { ...withEditor(state, cleared(state.editor)), search: undefined, question: { text, aside } };
}

/** The question was answered or withdrawn. */
export function withoutQuestion(state: PromptState): PromptState {
  return state.question ? { ...withEditor(state, state.question.aside), question: undefined } : state;
}

/** Queued lines go back into the line, in front of the text being typed. */
export function withQueueTakenBack(state: PromptState, count = state.queue.length): PromptState {
  const taken = state.queue.slice(state.queue.length - count).map(({ text }) => text);
  if (taken.length === 0) return state;
  const typed = wholeText(state.editor);
  const text = [...taken, ...(typed === '' ? [] : [typed])].join('\n');
  return {
    ...withEditor(state, withText(state.editor, text)),
    queue: state.queue.slice(0, state.queue.length - count),
  };
}

/** Show the completions, unless the line has changed meanwhile. A single one is taken at once if Tab asked for it. */
export function withCompletions(state: PromptState, found: Completions | undefined, asked: boolean): PromptState {
  if (!found || found.items.length === 0) return { ...state, menu: undefined };
  const word = state.editor.text.slice(found.from, state.editor.cursor);
  const [only] = found.items;
  if (!asked) {
    const settled = found.items.length === 1 && only?.value.trimEnd() === word;
    return { ...state, menu: settled ? undefined : { ...found, selected: -1 } };
  }
  if (found.items.length === 1 && only) return completed(state, found.from, only.value);
  const common = commonStart(found.items.map(({ value }) => value));
  const grown = common.length > word.length && common.startsWith(word);
  const longer = grown ? completed(state, found.from, common) : state;
  return { ...longer, menu: { ...found, selected: grown ? -1 : 0 } };
}

/** Replace the word from `from` up to the cursor. */
export function completed(state: PromptState, from: number, value: string): PromptState {
  const { text, cursor } = state.editor;
  return withEditor(
    state,
    withText(state.editor, text.slice(0, from) + value + text.slice(cursor), from + value.length),
  );
}

function commonStart(texts: readonly string[]): string {
  const [first = ''] = texts;
  let length = first.length;
  for (const text of texts) while (!text.startsWith(first.slice(0, length))) length -= 1;
  return first.slice(0, length);
}
