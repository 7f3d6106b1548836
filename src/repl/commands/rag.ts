import { AssistantError } from '../../base/errors.ts';
import type { Command, CommandCall } from '../command.ts';

const DEFAULT_K = 10;

export const rag: Command = {
  name: 'rag',
  summary: 'Search the documents, and measure how well that works',
  usage: ['rag search "QUERY" [--k N]'],
  flags: { k: { type: 'string' } },
  async run(call) {
    const [verb = '', ...words] = call.args;
    const action = ACTIONS[verb];
    if (!action) {
      const hint = `Usage: wooster ${rag.usage.join(' | ')}`;
      throw new AssistantError('bad_usage', `There is no "rag ${verb}".`, { hint });
    }
    return action(call, words);
  },
};

const ACTIONS: Readonly<Record<string, (call: CommandCall, words: readonly string[]) => Promise<number>>> = { search };

async function search({ flags, session, parts, out, signal }: CommandCall, words: readonly string[]): Promise<number> {
  const query = words.join(' ').trim();
  if (query === '') throw new AssistantError('bad_usage', 'There is no query.', { hint: 'wooster rag search "words"' });
  const k = countOf(flags.k);
  const hits = await parts.documents.search(session.project, query, { k, signal });
  for (const [index, hit] of hits.entries()) {
    out.row({ rank: index + 1, ...hit });
    out.line(`${String(index + 1).padStart(2)}. ${hit.score.toFixed(3)}  ${hit.citation}  ${hit.heading.join(' > ')}`);
    out.line(`    ${hit.text.replace(/\s+/gu, ' ').slice(0, 200)}`);
  }
  if (hits.length === 0) out.note('Not in your documents.');
  return 0;
}

/** @throws AssistantError `bad_usage` unless it is a whole number from 1 to 1000. */
function countOf(flag: unknown): number {
  if (flag === undefined) return DEFAULT_K;
  const k = Number(flag);
  if (Number.isInteger(k) && k >= 1 && k <= 1000) return k;
  throw new AssistantError('bad_usage', `--k ${String(flag)} is not a number of hits.`, { hint: 'Use 1 to 1000.' });
}
