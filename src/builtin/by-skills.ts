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
  return bySkills(request, SKILLS) ?? inOtherWords(request);
}

/** The same, for a part of a sentence that asks for something to be done. */
export function commandByRules(raw: RawRequest): Intent | undefined {
  return bySkills(
    raw,
    SKILLS.filter(({ command }) => command),
  );
}

/** "Um 18 Uhr Zähler ablesen" is for the person to do: words turned round are never carried out by themselves. */
function isPrompt(intent: Intent): boolean {
  return intent.kind === 'act' && intent.actions.some(({ input }) => input.as === 'prompt');
}

function inOtherWords(raw: RawRequest): Intent | undefined {
  for (const text of otherWays(withoutPoliteness(raw.text), answerLanguage(raw.text, raw.earlier))) {
    const intent = bySkills({ ...raw, text }, SKILLS);
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
