import { createAnswers } from '../../src/answers/answers.ts';
import { silentLog } from '../../src/base/log.ts';
import type { Documents } from '../../src/rag/types.ts';
import { createQueryRagTool } from '../../src/tools/builtin/query-rag.ts';
import type { ToolContext } from '../../src/tools/tool.ts';

const CLOCK = { now: () => new Date(), timeZone: 'UTC' };
/** The most passages that a model may ask for. */
const MOST = 20;

/** Ask `query_rag` as a model would in a conversation of its own. @returns the ids of the documents, best first. */
export function asModel(documents: Documents): (query: string, k?: number) => Promise<string[]> {
  const tool = createQueryRagTool(createAnswers(documents));
  return async (query, k = MOST) => {
    const turn = { id: 't', conversationId: 'c', text: query, origin: 'cli', mode: 'classic_tools', project: 'home' };
    const context = { turn, said: [query], signal: new AbortController().signal, log: silentLog, ...CLOCK } as unknown;
    const found = await tool.execute(tool.input.parse({ query, k }), context as ToolContext);
    const { passages } = found as { passages: readonly { citation: string }[] };
    return [...new Set(passages.map(({ citation }) => /^\[(.+?)\.md[,\]]/u.exec(citation)?.[1] ?? citation))];
  };
}
