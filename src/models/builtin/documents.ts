import { pattern } from '../../base/pattern.ts';
import { act, ask, type Recognizer } from './intent.ts';

/** What people call their documents: `my documents`, `the manuals`, `our library`. */
const PLACE = [
  '(?:my |the |our |these |those |all )?(?:own )?(?:documents?|docs|files|library|papers|project',
  '|notes and documents|knowledge base|archive|manuals?|pdfs?|ingested files|sources)',
].join('');

/** Ways of naming the documents; what is left is the question. */
const EXPLICIT: readonly RegExp[] = [
  pattern(
    'isu',
    `^(?:search|look|check|query|browse|scan|go)\\s+(?:in |through |into `,
    `|at )?${PLACE}\\s*(?:for|about|on|to find|:|,)?\\s*(.*)$`,
  ),
  pattern(
    'isu',
    `^(?:find|look up|look for|search for|search|show me|get me|look)\\s+(.+?)\\s+(?:in|from`,
    `|within|among) ${PLACE}$`,
  ),
  pattern(
    'isu',
    `^what (?:do|does|did|is written|is said|can you find) ?(?:in )?${PLACE}\\s*(?:say|says|tell`,
    `|mention|contain|have)?(?: me)?\\s*(?:about|on|regarding|for)\\s+(.*)$`,
  ),
  new RegExp(`^(?:according to|based on|from|in|using|per|as per) ${PLACE}\\s*[,:]?\\s*(.+)$`, 'isu'),
  new RegExp(
    `^(?:is|are) there (?:anything|something|a passage)(?: in ${PLACE})? (?:about|on) (.+?)(?: in ${PLACE})?$`,
    'isu',
  ),
  new RegExp(`^(.+?),? (?:according to|based on|in|from) ${PLACE}$`, 'isu'),
  pattern(
    'isu',
    `^(?:do|does|did) ${PLACE}\\s+(?:say|mention|contain|have|talk|know)(?: anything`,
    `| something)?(?: about| on)?\\s+(.+)$`,
  ),
  /^(?:ask (?:the|my) documents?|rag|query|lookup|find|look up|search for|search)\s*:?\s+(.+)$/isu,
];
/** How questions begin. A follow-up counts as one, too: "and its author". */
const QUESTION = pattern(
  'iu',
  '^(?:what|who|whom|whose|where|when|why|which|how|is|are|was|were|does|do|did|has|have|can',
  '|could|should|will|would|may|must|explain|describe|define|summari[sz]e|tell me (?:about',
  '|more)|give me (?:an? )?(?:summary|overview|details)|and (?:what|who|where|when|why|how|its',
  String.raw`|his|her|their|the))\b`,
);

/** A question that nothing else understood goes to the documents; saying where to look makes it one in any case. */
export const documents: Recognizer = ({ text }) => {
  const question = text.replace(/[\s]+$/u, '');
  const explicit = EXPLICIT.map((form) => form.exec(question.replace(/[?.!]+$/u, ''))?.[1]).find(
    (found) => found !== undefined,
  );
  if (explicit !== undefined)
    return explicit.trim() === '' ? ask('What should I look for in your documents?') : search(explicit);
  return QUESTION.test(question) || question.endsWith('?')
    ? search(question.replace(/^(?:tell me (?:about|more about)|describe|explain|define)\s+/iu, ''))
    : undefined;
};

const search = (query: string) => act({ tool: 'query_rag', input: { query: query.trim() } });
