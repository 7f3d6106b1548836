import { sayings } from '../when/say.ts';
import type { Language } from '../words/spelling.ts';
import { withoutCourtesy } from './courtesy.ts';
import { answerLanguage } from './language.ts';
import { tell } from './reply.ts';
import type { RawRequest, UserRequest } from './request.ts';

/** A request without courtesy, with the language to answer in. */
export function readRequest(raw: RawRequest, known?: Language): UserRequest {
  const text = withoutCourtesy(raw.text.trim());
  const language = known ?? answerLanguage(raw.text, raw.earlier);
  const reader = { ...raw, language };
  return {
    ...{ ...reader, text, plain: plainOf(text), saying: sayings(language, raw) },
    tell: (code, values) => tell(code, reader, values),
  };
}

/** "Verschieb das auf den 28.": the mark at the end is a part of the date. */
const ENDS_WITH_DAY = /\b(?:am|den|der|dem|zum|vom) \d{1,2}\.(?:\d{1,2}\.)?(?=[?!\s]*$)/iu;

/** On one line, without the marks at its end. */
function plainOf(text: string): string {
  const line = text.replace(/[’‘]/gu, "'").replace(/\s+/gu, ' ');
  return line.replace(ENDS_WITH_DAY.test(line) ? /(?<=\d\.)[?!\s]+$/u : /(?<=[^!\s])[?.!…\s]+$/u, '').trim();
}
