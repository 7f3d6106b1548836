import { answerLanguage } from './language.ts';
import { LONGEST_REQUEST } from './not-understood.ts';
import { otherWays } from './other-ways.ts';
import { withoutPoliteness } from './politeness.ts';
import { readRequest } from './read-request.ts';
import type { Intent, RawRequest, Skill } from './request.ts';
import { SKILLS } from './skills.ts';
import { withTimeOfThat } from './that-time.ts';

/** What the rules make of a request that no example has. */
export function byRules(raw: RawRequest): Intent | undefined {
  const request = withTimeOfThat(raw);
  return (
    bySkills(request, SKILLS.slice(0, LAST_RESORTS)) ??
    inOtherWords(request) ??
    bySkills(request, SKILLS.slice(LAST_RESORTS))
  );
}

/** The same, for a part of a sentence that asks for something to be done. */
export function commandByRules(raw: RawRequest): Intent | undefined {
  return bySkills(
    raw,
    SKILLS.filter(({ command }) => command),
  );
}

/** Skills from here on take what no other understood, such as any question for the documents. */
const LAST_RESORTS = SKILLS.findIndex(({ name }) => name === 'documents');
/** What is said back is what the person wrote, never our own words for it. */
const REWORDED = SKILLS.slice(0, LAST_RESORTS).filter(({ name }) => name !== 'echo');

/** "Um 18 Uhr Zähler ablesen" is for the person to do: words turned round are never carried out by themselves. */
function isPrompt(intent: Intent): boolean {
  return intent.kind === 'act' && intent.actions.some(({ input }) => input.as === 'prompt');
}

function inOtherWords(raw: RawRequest): Intent | undefined {
  for (const text of otherWays(withoutPoliteness(raw.text), answerLanguage(raw.text, raw.earlier))) {
    const intent = bySkills({ ...raw, text }, REWORDED);
    if (intent && !isPrompt(intent)) return intent;
  }
  return undefined;
}

/** The first skill that takes it. */
function bySkills(raw: RawRequest, skills: readonly Skill[]): Intent | undefined {
  const request = readRequest(raw);
  const isLong = raw.text.length > LONGEST_REQUEST;
  for (const skill of skills) {
    if (isLong && !skill.anyLength) continue;
    const intent = skill.recognize(request);
    if (intent) return intent;
  }
  return undefined;
}
