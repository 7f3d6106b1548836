import { isRecord } from '../../base/json.ts';
import type { DoneCall } from '../../models/message-data.ts';
import { type Action, act, type Result } from '../request.ts';
import type { Handler, Understanding } from '../understanding.ts';

/** "No, 60 not 55": what the request just before did is taken back and done with the other value. */
const correct: Handler = ({ now, was }, { done = [], can, tell }) => {
  const [call, ...others] = done.filter(({ ago }) => ago === 1);
  if (!call || others.length > 0 || !can('undo_change') || !can(call.tool)) return undefined;
  const input = replaced(call, String(was), String(now));
  if (!input) return undefined;
  const said = Object.values(input)
    .flat()
    .filter((value): value is string => typeof value === 'string');
  const whole = said.find((value) => value.includes(String(now))) ?? String(now);
  return {
    kind: 'act',
    inOrder: true,
    actions: [
      { tool: 'undo_change', input: { id: call.id }, say: () => '' },
      { tool: call.tool, input, say: () => tell('corrected', { whole }) },
    ],
  };
};

/** The call with the other value; undefined where it had nothing of the kind, or more than once. */
function replaced({ input }: DoneCall, was: string, now: string): Record<string, unknown> | undefined {
  let hits = 0;
  const swap = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(swap);
    if (typeof value !== 'string') return value;
    const at = placeOf(was, value);
    if (at === undefined) return value;
    hits += 1;
    return `${value.slice(0, at)}${now}${value.slice(at + was.length)}`;
  };
  const other = Object.fromEntries(Object.entries(input).map(([key, value]) => [key, swap(value)]));
  return hits === 1 ? other : undefined;
}

/** Where a whole word stands in a text: "5" is not in "55". */
function placeOf(word: string, text: string): number | undefined {
  const at = text.toLowerCase().indexOf(word.toLowerCase());
  const beside = [text[at - 1], text[at + word.length]];
  return at < 0 || beside.some((letter) => letter !== undefined && /[\p{L}\p{N}]/u.test(letter)) ? undefined : at;
}

/** "Undo that": all that the request before did, the last first; of a correction, what it corrected is done again. */
const undoLast: Handler = (input, request) => {
  const { done = [] } = request;
  const last = done.filter(({ ago }) => ago === 1);
  const changes = last.filter(({ tool }) => tool !== 'undo_change');
  if (input.id !== undefined || last.length < 2 || changes.length === 0) return act(undone(input, request));
  const [taken] = last;
  const corrected = taken?.tool === 'undo_change' ? done.find(({ id }) => id === taken.input.id) : undefined;
  const again = corrected ? [{ tool: corrected.tool, input: corrected.input, say: () => '' }] : [];
  const undoing = changes.toReversed().map(({ id }) => undone({ id }, request));
  return { kind: 'act', inOrder: true, actions: [...undoing, ...again] };
};

/** Told by what was undone where this conversation did it: which list it was, and which reminder is back. */
function undone(input: Action['input'], { done = [], call, tell }: Understanding): Action {
  const action = call('undo_change', input);
  const sayKnown = ({ value }: Result): string | undefined => {
    const { outcome, undone: [row] = [] } = value as {
      readonly outcome?: string;
      readonly undone?: readonly DoneCall[];
    };
    const known = outcome === 'undone' ? done.find(({ id }) => id === row?.id) : undefined;
    if (known?.tool === 'cancel_schedule') return tell('back again', { jobs: known.value }).trimEnd();
    if (known?.tool === 'schedule') return tell('undone', { what: known.input.text });
    if (known?.tool !== 'change_list' || !isRecord(known.value)) return undefined;
    const { list, added, ticked, removed } = known.value;
    return tell('undone on list', { list, things: [added, ticked, removed].flat().filter(Boolean) });
  };
  return { ...action, say: (result) => sayKnown(result) ?? action.say(result) };
}

export const CORRECTIONS = { correct, undo_change: undoLast };
