import { wholeText, withText } from '../edit/editor.ts';
import { recallOrder, type Search, search } from '../edit/history.ts';
import type { Key } from '../tty/keys.ts';
import { type Pressed, type PromptState, withEditor } from './state.ts';

/** Ctrl-R: search the history. */
export function openSearch(state: PromptState): PromptState {
  const texts = recallOrder(state.entries, state.project);
  return { ...state, menu: undefined, search: { query: '', texts, at: -1, draft: wholeText(state.editor) } };
}

/** While searching: letters go into the query, Enter takes the match without sending it. */
export function pressSearch(state: PromptState & { search: Search }, key: Key): Pressed {
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
