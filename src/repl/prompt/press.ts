import { cleared, edit, insert, moveVertically, shownText, wholeText, withText } from '../edit/editor.ts';
import { recall, recalledText, recallOrder, type Search, search } from '../edit/history.ts';
import type { Key } from '../tty/keys.ts';
import { pressChoice } from './press-choice.ts';
import {
  completed,
  type Effect,
  editWidth,
  type Menu,
  type Pressed,
  type PromptState,
  type Window,
  withEditor,
  withoutQuestion,
  withQueueTakenBack,
} from './state.ts';

/** What a key does to the prompt, and what it asks the terminal to do. Pure: time and window are passed in. */
export function press(before: PromptState, key: Key, window: Window): Pressed {
  const state = { ...before, hint: undefined };
  if (key.kind === 'cursor') return done(before);
  if (state.choice) return pressChoice({ ...state, choice: state.choice }, key, window.nowMs);
  if (state.search) return pressSearch({ ...state, search: state.search }, key);
  if (key.kind === 'paste') return typed(state, insert(state.editor, key.text, 'paste'));
  if (key.kind === 'text') return typed({ ...state, chord: false }, insert(state.editor, key.text));
  if (state.chord) return pressChord({ ...state, chord: false }, key.name);
  const inMenu = state.menu && pressMenu(state, state.menu, key.name);
  if (inMenu) return inMenu;
  const command = COMMANDS[key.name];
  if (command) return command(state, window);
  const edited = edit(state.editor, key.name);
  if (!edited) return done(state);
  return edited.text === state.editor.text ? done(withEditor(state, edited)) : typed(state, edited);
}

type Command = (state: PromptState, window: Window) => Pressed;

const COMMANDS: Readonly<Record<string, Command>> = {
  enter: submit,
  'M-enter': newline,
  'S-enter': newline,
  'C-enter': newline,
  'C-j': newline,
  tab: (state) => done(state, { kind: 'complete', asked: true }),
  up: (state, window) => vertical(state, -1, window),
  down: (state, window) => vertical(state, 1, window),
  'C-p': (state) => recalled(state, 1),
  'C-n': (state) => recalled(state, -1),
  'C-r': (state) => done(openSearch(state)),
  'C-s': steer,
  'C-x': (state) => done({ ...state, chord: true }),
  'C-c': interrupt,
  'C-d': endOfInput,
  'C-z': (state) => done(state, { kind: 'suspend' }),
  'M-up': (state) => done(withQueueTakenBack(state, Math.min(1, state.queue.length))),
  escape: (state) => (state.running ? done(state, { kind: 'stop' }) : done(state)),
};

function done(state: PromptState, ...effects: Effect[]): Pressed {
  return { state, effects };
}

/** The text has changed: look up completions of commands and files while they are typed. */
function typed(state: PromptState, editor: PromptState['editor']): Pressed {
  const next = withEditor(state, editor);
  const head = editor.text.slice(0, editor.cursor);
  const looksUp = !state.question && (/^\/\S*$/u.test(head) || /(?:^|\s)@[^\s@]*$/u.test(head));
  return looksUp ? done({ ...next, menu: state.menu }, { kind: 'complete', asked: false }) : done(next);
}

/** Enter. A backslash at the end of the line asks for one more. */
function submit(state: PromptState): Pressed {
  const { editor } = state;
  if (/(?:^|[^\\])(?:\\\\)*\\$/u.test(editor.text) && editor.cursor === editor.text.length) {
    return done(withEditor(state, insert(withText(editor, editor.text.slice(0, -1)), '\n')));
  }
  const sent = { text: wholeText(editor), shown: shownText(editor) };
  if (state.question) return done(withoutQuestion(state), { kind: 'answer', text: sent.text });
  const empty = withEditor(state, cleared(editor));
  if (sent.text.trim() === '') return done(empty);
  const steering = /^\/steer\s+(\S.*)$/su.exec(sent.text.trim())?.[1];
  const next = remembered(empty, sent.text.trim());
  const remember: Effect = { kind: 'remember', entry: { text: sent.text.trim(), project: state.project } };
  if (state.running && steering !== undefined) return done(next, remember, { kind: 'steer', text: steering });
  if (state.running) return done({ ...next, queue: [...state.queue, sent] }, remember);
  return done(next, remember, { kind: 'submit', sent });
}

/** Ctrl-S: the line reaches the turn that is running. */
function steer(state: PromptState): Pressed {
  const text = wholeText(state.editor).trim();
  if (!state.running || text === '' || state.question) return submit(state);
  return done(withEditor(remembered(state, text), cleared(state.editor)), { kind: 'steer', text });
}

function newline(state: PromptState): Pressed {
  return done(withEditor(state, insert(state.editor, '\n', 'type')));
}

/** Inside the text first, then through the history. */
function vertical(state: PromptState, by: 1 | -1, { columns }: Window): Pressed {
  const moved = state.recall ? undefined : moveVertically(state.editor, by, editWidth(columns));
  return moved ? done({ ...state, editor: moved }) : recalled(state, by === 1 ? -1 : 1);
}

function recalled(state: PromptState, by: 1 | -1): Pressed {
  if (state.question) return done(state);
  const from = state.recall ?? {
    texts: recallOrder(state.entries, state.project),
    at: -1,
    draft: wholeText(state.editor),
  };
  const next = recall(from, by);
  if (!next) return done(state);
  return done({ ...withEditor(state, withText(state.editor, recalledText(next))), recall: next });
}

/** A running turn is stopped, the line kept; a line is cleared, and Up recalls it; otherwise the person may leave. */
function interrupt(state: PromptState): Pressed {
  const text = wholeText(state.editor);
  if (state.question || state.running || text === '') return done(state, { kind: 'interrupt' });
  return done(withEditor(remembered(state, text), cleared(state.editor)));
}

/** Ctrl-D deletes forward, and on an empty line it is the end. */
function endOfInput(state: PromptState): Pressed {
  if (state.editor.text !== '') return typed(state, edit(state.editor, 'delete') ?? state.editor);
  if (state.question) return done(withoutQuestion(state), { kind: 'answer', text: undefined });
  return done(state, { kind: 'leave' });
}

function remembered(state: PromptState, text: string): PromptState {
  return { ...state, entries: [...state.entries, { text, project: state.project }] };
}

/** The key after Ctrl-X. */
function pressChord(state: PromptState, name: string): Pressed {
  if (name === 'C-e') return done(state, { kind: 'external-editor' });
  const undone = name === 'C-u' ? edit(state.editor, 'C-_') : undefined;
  return done(undone ? withEditor(state, undone) : state);
}

/** @returns undefined for keys that go on to the line. */
function pressMenu(state: PromptState, menu: Menu, name: string): Pressed | undefined {
  const count = menu.items.length;
  const select = (selected: number) => done({ ...state, menu: { ...menu, selected } });
  const chosen = menu.items[menu.selected];
  switch (name) {
    case 'down':
    case 'C-n':
      return select((menu.selected + 1) % count);
    case 'up':
    case 'C-p':
    case 'S-tab':
      return select((menu.selected - 1 + count + (menu.selected < 0 ? 1 : 0)) % count);
    case 'tab':
      if (count > 1 && menu.selected >= 0) return select((menu.selected + 1) % count);
      return undefined;
    case 'enter':
      return chosen ? done(completed(state, menu.from, chosen.value)) : undefined;
    case 'escape':
    case 'C-g':
      return done({ ...state, menu: undefined });
    default:
      return undefined;
  }
}

/** Ctrl-R: search the history. */
function openSearch(state: PromptState): PromptState {
  const texts = recallOrder(state.entries, state.project);
  return { ...state, menu: undefined, search: { query: '', texts, at: -1, draft: wholeText(state.editor) } };
}

/** While searching: letters go into the query, Enter takes the match without sending it. */
function pressSearch(state: PromptState & { search: Search }, key: Key): Pressed {
  const now = state.search;
  if (key.kind === 'text' || key.kind === 'paste') return found(state, search(now, now.query + key.text, 0));
  if (key.kind === 'cursor') return { state, effects: [] };
  switch (key.name) {
    case 'C-r':
    case 'up': {
      const older = search(now, now.query, now.at + 1);
      return found(state, older.at < 0 ? now : older);
    }
    case 'backspace':
      return found(state, search(now, [...now.query].slice(0, -1).join(''), 0));
    case 'escape':
    case 'C-g':
    case 'C-c':
      return closed(state, now.draft);
    default:
      return closed(state, now.texts[now.at] ?? now.draft);
  }
}

function found(state: PromptState, next: Search): Pressed {
  return { state: { ...state, search: next }, effects: [] };
}

function closed(state: PromptState, text: string): Pressed {
  return { state: { ...withEditor(state, withText(state.editor, text)), search: undefined }, effects: [] };
}
