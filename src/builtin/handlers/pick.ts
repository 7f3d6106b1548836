import { isRecord } from '../../base/json.ts';
import { act, say } from '../request.ts';
import type { Handler } from '../understanding.ts';

/** "Read me the second one": of what was listed last, and is listed anew. @property which -1 is the last. */
export const pickListed: Handler = ({ which }, { doneBefore, call, tell }) => {
  const list = doneBefore().find(({ tool }) => LISTS.has(tool));
  const place = Number(which);
  if (!list) return undefined;
  return {
    kind: 'act',
    actions: [{ ...list, say: () => '' }],
    next: ([listed]) => {
      const row = rowsIn(listed?.value).at(place > 0 ? place - 1 : place);
      if (row === undefined) return say(tell('not so many'));
      const { document, text } = isRecord(row) ? row : { document: row, text: undefined };
      return text === undefined ? act(call('summarise_document', { document })) : say(String(text));
    },
  };
};

/** A list, or the one that a record has. */
function rowsIn(value: unknown): readonly unknown[] {
  return [value, ...(isRecord(value) ? Object.values(value) : [])].find(Array.isArray) ?? [];
}

const LISTS: ReadonlySet<string> = new Set(['list_documents', 'list_notes', 'list_schedules']);
