import { insert } from '../edit/editor.ts';
import type { Key } from '../tty/keys.ts';
import { type OpenChoice, type Pressed, type PromptState, withEditor } from './state.ts';

/**
 * While a decision is open: arrows and Enter, or a letter; Esc is the safe answer. Keys that were pressed before it
 * could be read are not meant for it: letters go into the line being typed, other keys are dropped.
 */
export function pressChoice(state: PromptState & { choice: OpenChoice }, key: Key, nowMs: number): Pressed {
  const { choice } = state;
  if (choice.offered) return pressOffer(state, key, nowMs);
  if (key.kind === 'key' && key.name === 'C-c') return { state, effects: [{ kind: 'interrupt' }] };
  if (nowMs < choice.countsFromMs) return early(state, key);
  const picked = key.kind === 'text' ? pickedBy(choice, key.text) : undefined;
  if (picked !== undefined) return chosen(state, picked);
  return key.kind === 'key' ? pressKey(state, key.name) : { state, effects: [] };
}

/** Arrows, Enter and Esc. */
function pressKey(state: PromptState & { choice: OpenChoice }, name: string): Pressed {
  const { choice } = state;
  const count = choice.options.length;
  const select = (selected: number): Pressed => ({ state: { ...state, choice: { ...choice, selected } }, effects: [] });
  switch (name) {
    case 'up':
    case 'left':
    case 'S-tab':
      return select((choice.selected - 1 + count) % count);
    case 'down':
    case 'right':
    case 'tab':
      return select((choice.selected + 1) % count);
    case 'enter':
      return chosen(state, choice.options[choice.selected]?.key ?? choice.safe);
    case 'escape':
    case 'C-d':
    case 'C-g':
      return chosen(state, choice.safe);
    default:
      return { state, effects: [] };
  }
}

/**
 * While something is only offered: a letter selects, and Enter accepts. Any other text is the beginning of a sentence:
 * it goes into the line with what was typed before it, and the offer is dismissed.
 */
function pressOffer(state: PromptState & { choice: OpenChoice }, key: Key, nowMs: number): Pressed {
  const { choice } = state;
  const isEarly = nowMs < choice.countsFromMs;
  if (key.kind === 'cursor') return { state, effects: [] };
  if (key.kind === 'key') {
    const name = key.name === 'C-c' ? 'escape' : key.name;
    return isEarly ? { state, effects: [] } : pressKey({ ...state, choice: { ...choice, typed: '' } }, name);
  }
  const selected = choice.options.findIndex((option) => option.key === key.text.toLowerCase());
  if (key.kind === 'text' && !isEarly && choice.typed === '' && selected >= 0) {
    return { state: { ...state, choice: { ...choice, selected, typed: key.text } }, effects: [] };
  }
  const kind = key.kind === 'paste' ? 'paste' : 'type';
  const line = withEditor(state, insert(insert(state.editor, choice.typed), key.text, kind));
  return chosen(line, choice.safe);
}

/** Removed at once: the next key may be in the same read. */
function chosen(state: PromptState, key: string): Pressed {
  return { state: { ...state, choice: undefined }, effects: [{ kind: 'choose', key }] };
}

function pickedBy(choice: OpenChoice, text: string): string | undefined {
  return choice.options.find(({ key }) => key === text.toLowerCase())?.key;
}

function early(state: PromptState, key: Key): Pressed {
  if (key.kind === 'text') return { state: withEditor(state, insert(state.editor, key.text)), effects: [] };
  if (key.kind === 'paste') return { state: withEditor(state, insert(state.editor, key.text, 'paste')), effects: [] };
  return { state, effects: [] };
}
