import { parseJson } from '../../base/json.ts';
import { type PolicyAnswer, type PolicyQuestion, policy } from './policy.ts';

/** What a decision was made by. */
export interface Why {
  readonly question: PolicyQuestion;
  /** What the conversation had read, for people. */
  readonly sources: readonly string[];
}

/** As it is kept with an effect. */
export function writeWhy(why: Why): string {
  return JSON.stringify(why);
}

/** As it was kept, with what the policy says to it; undefined for effects of older versions. */
export function readWhy(text: string | null): (Why & { readonly answer: PolicyAnswer }) | undefined {
  const why = parseJson(text ?? '') as Why | undefined;
  return why && { ...why, answer: policy(why.question) };
}
