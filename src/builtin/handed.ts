import { search } from './handlers/query-documents.ts';
import { act, type Intent, say, type UserRequest } from './request.ts';

/** What is done with a text that came with the request: it is summarised or searched, and nothing else. */
export function aboutHanded(intent: Intent | undefined, request: UserRequest): Intent {
  if (intent?.kind === 'ask') return say(request.tell('only looks'));
  const tools = intent?.kind === 'act' ? intent.actions.map(({ tool }) => tool) : [];
  if (intent && tools.includes('summarise_document')) return intent;
  if (!tools.every((tool) => SEARCHING.has(tool))) return say(request.tell('only looks'));
  const found = search(request.text, request);
  return act({ ...found, input: { ...found.input, handed: true } });
}

/** A question is about the text that came with it, whatever else there is to be searched. */
const SEARCHING: ReadonlySet<string> = new Set(['query_rag', 'search_memory', 'list_documents']);
