import { isRecord } from '../../base/json.ts';
import { pattern } from '../../base/pattern.ts';
import { mainClause } from '../main-clause.ts';
import { phrases } from '../phrases.ts';
import { type Action, act, bare, type Intent, type Result, type Skill, say, type UserRequest } from '../request.ts';

const TELL = phrases(
  {
    en: [
      '(remember|memorize|memorise) [please] (that|this): {fact}',
      '(remember|memorize|memorise) [please] that {fact}',
      '(remember|memorize|memorise): {fact}',
      '(remember|memorize|memorise) {fact:(?:i|we|my|our) .+}',
      '(for your information|just so you know|you should know) [that] {fact}',
      '{fact:(?:i|we) live (?:in|near) .+}',
      '{fact:my (?:name|birthday) is .+}',
    ],
    de: [
      'merk[e] dir [bitte|mal] dass {clause}',
      String.raw`merk[e] dir [bitte|mal|das] {fact:(?:ich|wir|mein\w*|unser\w*) .+}`,
      '(zu deiner information|damit du es weißt|du sollst wissen): {fact}',
      '{fact:(?:ich (?:wohne|lebe) in|ich heiße|mein name ist) .+}',
    ],
  },
  { long: true },
);
/** What happened once is a note: "I parked on level 3". */
const EVENT = pattern(
  'iu',
  "^i (?:have |'ve )?(?:just )?(?:parked|put|left|paid|sent|called|bought|booked|ordered|ate|met|saw|finished",
  String.raw`|started|lent|borrowed|posted)\b|\bge\w+(?:t|en) (?:habe|haben|hat)$`,
);

const FORGET = phrases({
  en: [
    'forget [that|about] {fact}',
    '(delete|remove|erase) {fact} from [my|your|the] memory',
    'you (can|may|should) forget [that|about] {fact}',
  ],
  de: ['vergiss [bitte|wieder] [dass] {fact}', '(lösch[e]|streich[e]) {fact} aus [deinem|dem|meinem] gedächtnis'],
});
const ABOUT_ME = phrases({
  en: [
    'what do you (know|remember) [about me|of me|about myself]',
    '(tell me|show me|list) (what|everything|all) [that] you (know|remember) [about me]',
    'what have i told you [about myself|about me]',
    'who am i',
  ],
  de: [
    'was weißt du [alles] (über mich|von mir)',
    '(sag|zeig[e]) mir [alles] was du (über mich|von mir) weißt',
    'was hast du dir gemerkt',
    'wer bin ich',
  ],
});
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

/** What the owner tells of themselves, and what they take back. */
export const memory: Skill = {
  name: 'memory',
  anyLength: true,
  command: true,
  examples: {
    en: ['remember that I live in Galway', 'what do you know about me?'],
    de: ['merk dir, dass ich in Köln wohne', 'was weißt du über mich?'],
  },
  recognize: (request) => all(request) ?? taking(request) ?? telling(request),
};

function telling(request: UserRequest): Intent | undefined {
  const slots = request.can('remember') ? TELL(request.text.trim()) : undefined;
  if (!slots) return undefined;
  const fact = slots.clause === undefined ? bare(slots.fact ?? '') : mainClause(bare(slots.clause));
  const text = fact.replace(/(?<!\b\p{L})\.$/u, '');
  if (text === '' || text.endsWith('?') || EVENT.test(slots.clause ?? text)) return undefined;
  return act({ tool: 'remember', input: { text }, say: ({ value }) => sayRemembered(value, request) });
}

function sayRemembered(value: unknown, { in: either }: UserRequest): string {
  if (!isRecord(value)) return String(value);
  const text = String(value.remembered);
  if (value.known === true) return either(`I know that already: ${text}`, `Das weiß ich schon: ${text}`);
  const [old] = Array.isArray(value.replaced) ? (value.replaced as unknown[]) : [];
  const instead = old === undefined ? '' : either(` (instead of: ${String(old)})`, ` (statt: ${String(old)})`);
  return `${either('I will remember', 'Gemerkt')}: ${text}${instead}`;
}

/** Only what is known is taken back: other things are forgotten elsewhere, such as notes. */
function taking(request: UserRequest): Intent | undefined {
  const said = request.can('forget_memory') ? FORGET(request.plain)?.fact : undefined;
  if (said === undefined) return undefined;
  const text = bare(said.replace(/^(?:where|that|about|wo|dass) /iu, ''));
  const wanted = wordsOf(text);
  const known = request.facts?.some((fact) => wanted.every((word) => wordsOf(fact).includes(word))) ?? false;
  if (!known || wanted.length === 0) return undefined;
  return act({
    tool: 'forget_memory',
    input: { text: wanted.join(' ') },
    say: ({ value }) => {
      const [gone] = textsIn(value, 'forgotten');
      if (gone !== undefined) return request.in(`Forgotten: ${gone}`, `Vergessen: ${gone}`);
      const lead = request.in('Several facts fit; I forgot none:', 'Mehreres passt; vergessen habe ich nichts:');
      return [lead, ...textsIn(value, 'matches').map((match) => `- ${match}`)].join('\n');
    },
  });
}

function all({ plain, facts, can, in: either }: UserRequest): Intent | undefined {
  if (!ABOUT_ME(plain) || !can('remember')) return undefined;
  if (!facts || facts.length === 0)
    return say(
      either(
        'Nothing yet. "Remember that I live in Galway" tells me something.',
        'Noch nichts. „Merk dir, dass ich in Köln wohne“ sagt mir etwas.',
      ),
    );
  const lead = either('You told me', 'Du hast mir gesagt');
  return say(`${lead}:\n${facts.map((fact) => `- ${fact}`).join('\n')}`);
}

/** `search_memory` takes no longer one. */
const LONGEST_MEMORY_QUERY = 1000;

/** A question to the documents goes to the memory as well, where there is one. */
export function askMemoryToo(documents: Action, request: UserRequest): Intent {
  const query = String(documents.input.query);
  if (!request.can('search_memory') || query.length > LONGEST_MEMORY_QUERY) return act(documents);
  const remembered: Action = { tool: 'search_memory', input: { query }, say: () => '' };
  return {
    kind: 'act',
    actions: [remembered, documents],
    together: ([facts, found]) => sayBoth(facts, found, { documents, request }),
  };
}

function sayBoth(
  facts: Result | undefined,
  found: Result | undefined,
  { documents, request }: { readonly documents: Action; readonly request: UserRequest },
): string {
  const own = OWN.test(request.plain);
  const remembered = factsIn(facts?.value);
  const fits = fitting(remembered, own ? OWN_FIT : OTHER_FIT);
  const passages = found ? documents.say(found) : '';
  const { answered, any } = foundIn(found);
  const [best] = fits;
  if (!best && !answered) {
    const near = remembered.filter(({ fit }) => fit >= NEAR_FIT);
    const nearest = sayNearest(own ? near : fitting(remembered, OWN_FIT), request);
    return [nearest, nearest === undefined || any ? passages : undefined].filter(Boolean).join('\n');
  }
  if (!best || (!own && answered)) return passages;
  const told = fits.map(({ text }) => text).join('; ');
  const answer = `${request.in('You told me', 'Du hast mir gesagt')}: ${told}.`.replace(/[.!]\.$/u, '.');
  return answered && best.fit < SURE_FIT ? `${answer}\n${passages}` : answer;
}

/** Whether the documents answer, and whether they have anything near. */
function foundIn(found: Result | undefined): { readonly answered: boolean; readonly any: boolean } {
  const { answer, passages } = isRecord(found?.value) ? found.value : {};
  return {
    answered: typeof answer === 'string' && answer !== '',
    any: Array.isArray(passages) && passages.length > 0,
  };
}

/** Nothing answers, but something that was told comes near. */
function sayNearest(facts: readonly Fact[], { in: either }: UserRequest): string | undefined {
  const near = facts.slice(0, MOST_NEAR).map(({ text }) => text);
  if (near.length === 0) return undefined;
  const lead = either('I am not sure. You told me', 'Da bin ich nicht sicher. Du hast mir gesagt');
  return `${lead}: ${near.join('; ')}.`;
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

const HOME = [
  /^(?:i|we) (?:now )?(?:live|reside|am based|are based) (?:now )?(?:in|near|at) (?:the )?(.+)$/iu,
  /^(?:i|we) (?:have )?moved to (.+)$/iu,
  /^(?:ich|wir) (?:wohnen?|leben?) (?:jetzt |nun )?(?:in|bei) (.+)$/iu,
  /^ich bin (?:jetzt )?(?:nach|in) (.+?) (?:um)?gezogen$/iu,
];

/** Where the owner lives, as far as they have said: the town without what stands behind it. */
export function homeOf({ facts = [] }: Pick<UserRequest, 'facts'>): string | undefined {
  for (const fact of facts) {
    const place = HOME.map((form) => form.exec(fact)?.[1]).find((found) => found !== undefined);
    if (place !== undefined) return place.split(/,| (?:since|with|seit|mit) /u)[0]?.trim();
  }
  return undefined;
}

function textsIn(value: unknown, field: string): string[] {
  const texts = isRecord(value) ? value[field] : undefined;
  return Array.isArray(texts) ? texts.map(String) : [];
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}
