import { sayings } from '../when/say.ts';
import type { Language } from '../words/spelling.ts';
import { answerLanguage } from './language.ts';
import { withoutPoliteness } from './politeness.ts';
import { ENDS_WITH_DAY, type RawRequest, type UserRequest } from './request.ts';

/** A request without politeness, with the language to answer in. */
export function readRequest(raw: RawRequest, known?: Language): UserRequest {
  const text = withoutPoliteness(raw.text);
  const language = known ?? answerLanguage(raw.text, raw.earlier);
  const saying = sayings(language, raw);
  return { ...raw, text, plain: plainOf(text), language, saying, in: (en, de) => (language === 'de' ? de : en) };
}

/** On one line, without the marks at its end. */
export function plainOf(text: string): string {
  const line = text.replace(/[’‘]/gu, "'").replace(/\s+/gu, ' ');
  return line.replace(ENDS_WITH_DAY.test(line) ? /(?<=\d\.)[?!\s]+$/u : /(?<=[^!\s])[?.!…\s]+$/u, '').trim();
}
