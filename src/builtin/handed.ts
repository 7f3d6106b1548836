import { search } from './handlers/query-documents.ts';
import { act, type Intent, say, type UserRequest } from './request.ts';

/** What is done with a text that came with the request: it is summarised or searched, and nothing else. */
export function aboutHanded(intent: Intent | undefined, request: UserRequest): Intent {
  if (intent?.kind === 'ask') return say(request.in(...ONLY_LOOKS));
  const tools = intent?.kind === 'act' ? intent.actions.map(({ tool }) => tool) : [];
  if (intent && tools.includes('summarise_document')) return intent;
  if (!tools.every((tool) => SEARCHING.has(tool))) return say(request.in(...ONLY_LOOKS));
  const found = search(request.text, request);
  return act({ ...found, input: { ...found.input, handed: true } });
}

/** A question is about the text that came with it, whatever else there is to be searched. */
const SEARCHING: ReadonlySet<string> = new Set(['query_rag', 'search_memory', 'list_documents']);

const ONLY_LOOKS = [
  'Without a language model I can only answer from what you hand over and summarise it. Ask for the rest by itself.',
  [
    'Ohne Sprachmodell kann ich nur daraus antworten und es zusammenfassen, wenn du mir einen Text mitgibst.',
    'Bitte um das andere für sich.',
  ].join(' '),
] as const;
