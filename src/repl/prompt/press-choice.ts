import { insert } from '../edit/editor.ts';
import type { Key } from '../tty/keys.ts';
import { type OpenChoice, type Pressed, type PromptState, withEditor } from './state.ts';

/**
 * While something is to be decided: arrows and Enter, or a letter; Esc is the safe answer. Keys that were on their way
 * before it could be read are not meant for it: letters go on into the line being typed, the rest is dropped.
 */
export function pressChoice(state: PromptState & { choice: OpenChoice }, key: Key, nowMs: number): Pressed {
  const { choice } = state;
  if (key.kind === 'key' && key.name === 'C-c') return { state, effects: [{ kind: 'interrupt' }] };
  if (nowMs < choice.countsFromMs) return early(state, key);
  const picked = key.kind === 'text' ? pickedBy(choice, key.text) : undefined;
  if (picked !== undefined) return { state, effects: [{ kind: 'choose', key: picked }] };
  if (key.kind !== 'key') return { state, effects: [] };
  const count = choice.options.length;
  const select = (selected: number): Pressed => ({ state: { ...state, choice: { ...choice, selected } }, effects: [] });
  switch (key.name) {
    case 'up':
    case 'left':
    case 'S-tab':
      return select((choice.selected - 1 + count) % count);
    case 'down':
    case 'right':
    case 'tab':
      return select((choice.selected + 1) % count);
    case 'enter':
      return { state, effects: [{ kind: 'choose', key: choice.options[choice.selected]?.key ?? choice.safe }] };
    case 'escape':
    case 'C-d':
    case 'C-g':
      return { state, effects: [{ kind: 'choose', key: choice.safe }] };
    default:
      return { state, effects: [] };
  }
}

function pickedBy(choice: OpenChoice, text: string): string | undefined {
  return choice.options.find(({ key }) => key === text.toLowerCase())?.key;
}

function early(state: PromptState, key: Key): Pressed {
  if (key.kind === 'text') return { state: withEditor(state, insert(state.editor, key.text)), effects: [] };
  if (key.kind === 'paste') return { state: withEditor(state, insert(state.editor, key.text, 'paste')), effects: [] };
  return { state, effects: [] };
}
