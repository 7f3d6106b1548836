import { sha256 } from '../../base/json.ts';
import { Refused } from './problem.ts';

/** A list of the API: the command whose rows it has, and what may be asked of it. */
export interface ApiList {
  readonly words: readonly string[];
  /** Parameters of the address, each with the flag that takes it; '' where it stands as it is. */
  readonly takes?: Readonly<Record<string, string>>;
  /** The parameter that must be given. */
  readonly needs?: string;
  /** The fields by which a row is known again: such a list comes in pages. */
  readonly by?: readonly string[];
}

/** Of a list in pages. */
const MOST_ROWS = 1000;
/** How far such a list reaches. */
const REACH = 10_000;

export const LISTS: Readonly<Partial<Record<string, ApiList>>> = {
  conversations: { words: ['sessions', '--limit', String(REACH)], by: ['id'] },
  messages: { words: ['sessions', 'search'], takes: { q: '' }, needs: 'q' },
  approvals: { words: ['approvals'] },
  jobs: { words: ['schedule', 'list'], by: ['id'] },
  runs: { words: ['schedule', 'show'], takes: { job: '', limit: '--limit' }, needs: 'job' },
  times: { words: ['schedule', 'next'], takes: { when: '', count: '--count' }, needs: 'when' },
  notices: { words: ['notices'], by: ['key'] },
  documents: { words: ['sources'], by: ['root', 'file'] },
  search: { words: ['rag', 'search'], takes: { q: '', k: '--k' }, needs: 'q' },
  memory: { words: ['memory', 'list'], by: ['file', 'text'] },
  effects: { words: ['log'], takes: { limit: '--limit' } },
  usage: { words: ['usage'] },
  status: { words: ['status'] },
  tools: { words: ['tools'] },
  models: { words: ['models'] },
  projects: { words: ['project', 'list'] },
  hooks: { words: ['hook', 'list'] },
};

/** The words of the command for a list, with what was asked for; undefined when something is missing. */
export function wordsOf({ words, takes = {}, needs }: ApiList, given: (name: string) => string | undefined) {
  if (needs !== undefined && !given(needs)) return undefined;
  const asked = Object.entries(takes).flatMap(([name, flag]) => {
    const value = given(name);
    return value === undefined ? [] : [{ flag, value }];
  });
  const flags = asked.filter(({ flag }) => flag !== '').map(({ flag, value }) => `${flag}=${value}`);
  const plain = asked.filter(({ flag }) => flag === '').map(({ value }) => value);
  // What stands as it is comes behind `--`: it is no flag, whatever it looks like.
  return [...words, ...flags, ...(plain.length > 0 ? ['--', ...plain] : [])];
}

/** What the API gives of a list: `next` goes on behind the last item, as `after`. */
export interface ListPage {
  readonly items: readonly unknown[];
  readonly next?: string;
}

/**
 * One page of the rows of a list. A place in it is the row before it, so nothing is skipped or told twice when others
 * come or go meanwhile.
 *
 * @throws Refused 400 for a limit that is none, 409 when that row is gone.
 */
export function pageOf(
  { by }: ApiList,
  rows: readonly unknown[],
  { limit = String(MOST_ROWS), after }: { readonly limit?: string | undefined; readonly after?: string | undefined },
): ListPage {
  if (!by) return { items: rows };
  const most = Number(limit);
  if (!Number.isInteger(most) || most < 1 || most > MOST_ROWS)
    throw new Refused(400, 'bad_query', `"limit" must be a number from 1 to ${MOST_ROWS}.`);
  const from = after === undefined ? 0 : rows.findIndex((row) => placeOf(row, by) === after) + 1;
  if (after !== undefined && from === 0)
    throw new Refused(409, 'list_changed', 'The list has no such place any more.', 'Read it from its beginning.');
  const items = rows.slice(from, from + most);
  const isMore = from + most < rows.length;
  return { items, ...(isMore && { next: placeOf(items.at(-1), by) }) };
}

function placeOf(row: unknown, by: readonly string[]): string {
  const fields = row as Readonly<Record<string, unknown>>;
  return sha256(JSON.stringify(by.map((field) => fields[field]))).slice(0, 24);
}
