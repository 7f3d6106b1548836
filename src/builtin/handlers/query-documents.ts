import { isRecord } from '../../base/json.ts';
import { ANY_QUESTION_WORD, BEGINNINGS } from '../../words/question-words.ts';
import { fold } from '../../words/spelling.ts';
import { STOP_WORDS } from '../../words/stop-words.ts';
import { type Action, act, type Intent, type Result, type UserRequest } from '../request.ts';
import { sayFound } from '../say-found.ts';
import type { Handler } from '../understanding.ts';

/** `query_rag` takes no longer question. */
const LONGEST_QUESTION = 10_000;
/** `search_memory` takes no longer one. */
const LONGEST_MEMORY_QUERY = 1000;

/** A question that is answered from the documents, and from what was told unless it names the documents. */
export const queryDocuments: Handler = ({ query, also }, request) => {
  const words = String(query).toLowerCase();
  // "Tell me about it" names no subject.
  if (STOP_WORDS.en.has(words) || STOP_WORDS.de.has(words)) return undefined;
  const documents = search(String(query), request);
  return also === 'memory' ? inMemoryToo(documents, request) : act(documents);
};

/** Ask the documents, and say what they answer. */
export function search(query: string, request: UserRequest): Action {
  return { tool: 'query_rag', input: { query: query.trim() }, say: (result) => sayFound(result, request) };
}

/** What may ask as well as order. */
const ALSO_ASKING =
  'can could will would may explain describe define kann koennen erklaere erklaer beschreibe beschreib';
const BEGINNING = new Set([...BEGINNINGS.en, ...BEGINNINGS.de, ...ALSO_ASKING.split(' ')]);
/** "The washing machine says E18, what do I do?" */
const LAST_WORDS = 6;

/** What nothing else understood and is a question: the documents may answer it, or what was told. */
export function questionOf(request: UserRequest): Intent | undefined {
  const { text } = request;
  if (text.length > LONGEST_QUESTION || !isQuestion(text)) return undefined;
  return inMemoryToo(search(text, request), request);
}

/** Whether it begins as questions do. */
export function beginsAsQuestion(text: string): boolean {
  const words: readonly string[] = fold(text).match(/\p{L}+/gu) ?? [];
  const [first = '', second = ''] = words.filter((word) => !/^(?:and|but|so|und|aber)$/u.test(word));
  // "How about a cake?" offers one.
  return second !== 'about' && (BEGINNING.has(first) || ANY_QUESTION_WORD.has(second));
}

function isQuestion(text: string): boolean {
  const behind =
    /[,.;] *([^,.;?]+)\??$/u
      .exec(text)?.[1]
      ?.toLowerCase()
      .match(/\p{L}+/gu) ?? [];
  return (
    text.trim().endsWith('?') ||
    beginsAsQuestion(text) ||
    (behind.length <= LAST_WORDS && ANY_QUESTION_WORD.has(behind[0] ?? ''))
  );
}

/** A question about its asker. */
const OWN = /\b(?:i|me|my|mine|we|our|us|ich|mich|mir|mein\w*|wir|uns|unser\w*)\b/iu;

/** Least share of a question that a fact must speak of: topics alone count for a question about its asker. */
const OWN_FIT = 0.3;
const OTHER_FIT = 0.7;
/** With less a fact has nothing to do with the question. */
const NEAR_FIT = 0.15;
/** From here on the fact is what was asked for, whatever the documents say. */
const SURE_FIT = 0.75;
/** Facts that speak of the question nearly as well are told, too. */
const NEARLY = 0.8;
const MOST_FACTS = 3;
const MOST_NEAR = 2;

function inMemoryToo(documents: Action, request: UserRequest): Intent {
  const query = String(documents.input.query);
  if (!request.can('search_memory') || query.length > LONGEST_MEMORY_QUERY) return act(documents);
  const remembered: Action = { tool: 'search_memory', input: { query }, say: () => '' };
  return {
    kind: 'act',
    actions: [remembered, documents],
    together: ([facts, found]) => sayBoth(facts, found, { documents, request }),
  };
}

interface Asked {
  readonly documents: Action;
  readonly request: UserRequest;
}

/** What was told where it answers, else what the documents have, else what comes near. */
function sayBoth(facts: Result | undefined, found: Result | undefined, { documents, request }: Asked): string {
  const isOwn = OWN.test(request.plain);
  const remembered = factsIn(facts?.value);
  const [best, ...others] = fitting(remembered, isOwn ? OWN_FIT : OTHER_FIT);
  const passages = found ? documents.say(found) : '';
  const { answer, passages: near } = isRecord(found?.value) ? found.value : {};
  const isAnswered = typeof answer === 'string' && answer !== '';
  if (!best && !isAnswered) {
    const told = isOwn ? remembered.filter(({ fit }) => fit >= NEAR_FIT) : fitting(remembered, OWN_FIT);
    const nearest = sayNearest(told, request);
    const hasPassages = Array.isArray(near) && near.length > 0;
    return [nearest, nearest === undefined || hasPassages ? passages : undefined].filter(Boolean).join('\n');
  }
  if (!best || (!isOwn && isAnswered)) return passages;
  const told = [best, ...others].map(({ text }) => text).join('; ');
  const said = request.tell('you told', { told }).replace(/[.!]\.$/u, '.');
  return isAnswered && best.fit < SURE_FIT ? `${said}\n${passages}` : said;
}

/** Nothing answers, but something that was told comes near. */
function sayNearest(facts: readonly Fact[], { tell }: UserRequest): string | undefined {
  const near = facts.slice(0, MOST_NEAR).map(({ text }) => text);
  return near.length === 0 ? undefined : tell('you told nearly', { told: near.join('; ') });
}

interface Fact {
  readonly text: string;
  readonly fit: number;
}

function factsIn(value: unknown): Fact[] {
  const found = Array.isArray(value) ? value.filter(isRecord) : [];
  return found.map(({ text, fit }) => ({ text: String(text), fit: Number(fit) }));
}

function fitting(facts: readonly Fact[], least: number): Fact[] {
  const best = Math.max(0, ...facts.map(({ fit }) => fit));
  if (best < least) return [];
  const near = facts.filter(({ fit }) => fit >= NEARLY * best);
  return near.toSorted((a, b) => b.fit - a.fit).slice(0, MOST_FACTS);
}
