import type { Taught } from '../base/examples.ts';
import { quoted } from './choice.ts';
import { ownExamples } from './compute.ts';
import { lineElsewhere } from './language.ts';
import { oneWay } from './patterns.ts';
import { type Intent, say, type UserRequest } from './request.ts';
import type { Meaning } from './understand.ts';

/** A longer text is something to keep, send or look up; nobody asks for a sum or a time with so many words. */
export const LONGEST_REQUEST = 2000;

const SHOWN = 2;

/** Three lines, with the examples that come nearest; one for another language. */
export function notUnderstood(request: UserRequest, near: readonly Meaning[]): Intent {
  const elsewhere = lineElsewhere(request.text);
  const most = request.text.length > LONGEST_REQUEST && LONGEST_REQUEST;
  const examples = quoted(nearestExamples(request, near), request.language);
  return say(elsewhere ?? request.tell('not understood', { most, near: examples }));
}

/** What the request comes near to, else by the triples of letters that two sentences share. */
function nearestExamples(
  { plain, language, examples = [], can }: UserRequest,
  near: readonly Meaning[],
): readonly string[] {
  const said = triples(plain.slice(0, 200));
  const shared = (text: string) => {
    const own = triples(text);
    return [...own].filter((each) => said.has(each)).length / Math.sqrt(own.size + 1);
  };
  const isUseful = ({ tool, unless, follows }: Taught) =>
    tool !== 'say' && follows === undefined && (unless === undefined || !can(unless));
  const first = (each: Taught) => each[language].slice(0, 1).map((sentence) => oneWay(sentence, () => '…'));
  const alike = [...ownExamples(), ...examples]
    .filter(isUseful)
    .flatMap(first)
    .map((text) => ({ text, score: shared(text) }))
    .sort((a, b) => b.score - a.score)
    .slice(0, SHOWN);
  const nearer = near.flatMap(({ taught }) => (isUseful(taught) ? first(taught) : []));
  return [...new Set([...nearer, ...alike.map(({ text }) => text)])].slice(0, SHOWN);
}

function triples(text: string): Set<string> {
  const letters = text.toLowerCase();
  return new Set(Array.from({ length: Math.max(0, letters.length - 2) }, (_, at) => letters.slice(at, at + 3)));
}
