import { pattern } from '../base/pattern.ts';
import { withoutCourtesy } from './courtesy.ts';
import { intended, meaningOf } from './intents.ts';
import type { Action, Intent, RawRequest } from './request.ts';
import { tokensOf } from './tokens.ts';

/** Where one request may end and the next begin: "note that ..., and remind me ...". */
const NEXT_REQUEST = pattern(
  'giu',
  String.raw`\s*[,;.]?\s+(?:and|und)(?:\s+(?:then|also|dann|auch))?\s+`,
  String.raw`|\s*[,;.]\s*(?:then|also|dann|außerdem)\s+|\s*[;.!]\s+`,
);
/** More parts than these are a text, not requests. */
const MOST_PARTS = 6;
const SPLIT_CHARS = 500;
/** A part of a sentence is a request of its own only where there is no doubt. */
const CERTAIN = 0.88;

/** Several requests in one sentence are done together when each of them asks for something to be done. */
export function severalIn(raw: RawRequest): Intent | undefined {
  if (raw.isDue || raw.text.length > SPLIT_CHARS) return undefined;
  const marks = [...raw.text.matchAll(NEXT_REQUEST)].slice(0, MOST_PARTS);
  const parts: Intent[] = [];
  let from = 0;
  for (const { index, 0: mark } of marks) {
    const rest = index + mark.length;
    const first = raw.text.slice(from, index);
    if (!leads(raw.text.slice(rest), raw)) continue;
    const intent = partIn(first, raw);
    if (!intent) continue;
    parts.push(intent);
    from = rest;
  }
  const last = from > 0 ? partIn(raw.text.slice(from), raw) : undefined;
  return last && together([...parts, last]);
}

/** Whether words begin a request: "milk and honey on the list" is one. */
function leads(text: string, raw: RawRequest): boolean {
  const alone = { ...raw, text, earlier: [] };
  const found = meaningOf(alone);
  if (found.kind !== 'act' && found.kind !== 'ask') return false;
  if (found.score < CERTAIN || found.taught.tool === 'say') return false;
  const [first] = tokensOf(withoutCourtesy(text));
  return [...found.taught.en, ...found.taught.de].some((sentence) =>
    tokensOf(sentence).some(({ word }) => word === first?.word),
  );
}

function partIn(text: string, raw: RawRequest): Intent | undefined {
  const alone = { ...raw, text, earlier: [] };
  const intent = intended(alone);
  if (intent?.kind === 'ask') return intent;
  return intent?.kind !== 'act' || intent.together || intent.inOrder || intent.next ? undefined : intent;
}

/** One intent for all of them: a question first, where one is left. */
function together(parts: readonly Intent[]): Intent | undefined {
  const at = parts.findIndex(({ kind }) => kind === 'ask');
  const open = parts[at];
  if (open?.kind === 'ask')
    return {
      ...open,
      complete: (answer) => {
        const next = open.complete(answer);
        return typeof next === 'object' ? together(parts.with(at, next)) : next;
      },
    };
  const actions = parts.flatMap((part): readonly Action[] => (part.kind === 'act' ? part.actions : []));
  return actions.length > 0 ? { kind: 'act', actions } : undefined;
}
