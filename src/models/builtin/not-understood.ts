import { lineElsewhere } from './language.ts';
import { type Intent, say, type UserRequest } from './request.ts';
import { HOW_TO_CONNECT, WHAT_I_AM } from './skills/about.ts';
import { SKILLS } from './skills.ts';

/** A longer text is something to keep, send or look up; nobody asks for a sum or a time with so many words. */
export const LONGEST_REQUEST = 2000;

const LEAD = { en: 'I did not understand that.', de: 'Das habe ich nicht verstanden.' };

const TOO_LONG = {
  en: `It is longer than the ${LONGEST_REQUEST} characters that I read as a request; with "note:" in front I keep it.`,
  de: `Es ist länger als die ${LONGEST_REQUEST} Zeichen, die ich als Bitte lese; mit „Notiz:“ davor behalte ich es.`,
};

/**
 * The whole explanation once in a conversation; after that one line with the example that comes nearest. One line, too,
 * for another language.
 */
export function notUnderstood(request: UserRequest): Intent {
  const { in: either, earlier } = request;
  const elsewhere = lineElsewhere(request.text);
  if (elsewhere !== undefined) return say(elsewhere);
  const plain = either(LEAD.en, LEAD.de);
  const lead = request.text.length > LONGEST_REQUEST ? `${plain} ${either(TOO_LONG.en, TOO_LONG.de)}` : plain;
  const told = earlier.some(({ by, text }) => by === 'assistant' && (text.includes(LEAD.en) || text.includes(LEAD.de)));
  const example = nearestExample(request);
  if (told) return say(`${lead} ${either(`Nearest that I know: "${example}".`, `Am nächsten kommt: „${example}“.`)}`);
  const help = either(
    `Nearest that I know: "${example}". Say "help" for the rest.`,
    `Am nächsten kommt: „${example}“. Mit „Hilfe“ zeige ich alles.`,
  );
  return say(`${lead} ${either(WHAT_I_AM.en, WHAT_I_AM.de)}\n${help} ${either(HOW_TO_CONNECT.en, HOW_TO_CONNECT.de)}`);
}

/** By the pairs of letters that two sentences share. */
function nearestExample({ plain, language }: UserRequest): string {
  const said = pairs(plain.slice(0, 200));
  let best = { text: SKILLS.flatMap(({ examples }) => examples[language])[0] ?? '', score: 0 };
  for (const text of SKILLS.flatMap(({ examples }) => examples[language])) {
    const own = pairs(text);
    const score = [...own].filter((pair) => said.has(pair)).length / Math.sqrt(own.size + 1);
    if (score > best.score) best = { text, score };
  }
  return best.text;
}

function pairs(text: string): Set<string> {
  const letters = text.toLowerCase();
  return new Set(Array.from({ length: Math.max(0, letters.length - 2) }, (_, at) => letters.slice(at, at + 3)));
}
