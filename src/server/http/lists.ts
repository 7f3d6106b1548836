/** A list of the API: the command whose rows it has, and what may be asked of it. */
export interface ApiList {
  readonly words: readonly string[];
  /** Parameters of the address, each with the flag that takes it; '' where it stands as it is. */
  readonly takes?: Readonly<Record<string, string>>;
  /** The parameter that must be given. */
  readonly needs?: string;
}

export const LISTS: Readonly<Partial<Record<string, ApiList>>> = {
  conversations: { words: ['sessions', '--limit', '200'] },
  messages: { words: ['sessions', 'search'], takes: { q: '' }, needs: 'q' },
  approvals: { words: ['approvals'] },
  jobs: { words: ['schedule', 'list'] },
  runs: { words: ['schedule', 'show'], takes: { job: '', limit: '--limit' }, needs: 'job' },
  times: { words: ['schedule', 'next'], takes: { when: '', count: '--count' }, needs: 'when' },
  notices: { words: ['notices'] },
  documents: { words: ['sources'] },
  search: { words: ['rag', 'search'], takes: { q: '', k: '--k' }, needs: 'q' },
  memory: { words: ['memory', 'list'] },
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
