/** What a line in a chat means besides a request. */
export type Meant =
  | { readonly kind: 'stop' }
  | { readonly kind: 'decide'; readonly code: string; readonly yes: boolean }
  /** A word of the chat's own, and what follows it. */
  | { readonly kind: 'setting'; readonly word: SettingWord; readonly value: string }
  | { readonly kind: 'request' };

const SETTING_WORDS = ['start', 'new', 'mode', 'project', 'model'] as const;
export type SettingWord = (typeof SETTING_WORDS)[number];

const STOP = /^\/?(?:stop|stopp|halt)[.!]*$/iu;
/** Below it a mail may have a signature. */
const DECIDE = /^(?<word>yes|no|ja|nein)\s+(?<code>[\da-f]{4})[.!]*(?:\s*\n\s*\n[\s\S]*)?$/iu;
/** What a reply code looks like wherever it stands, with the word before it. */
const CODES = /(?:\b(?<word>yes|no|ja|nein)[\s,:]+)?\b(?<code>[\da-f]{4})\b/giu;
const SETTING = /^\/(?<word>[a-z]+)(?:@\w+)?(?:\s+(?<value>\S.*))?$/isu;

/** Read a line: its words are the same whether they were written or said by a button. */
export function readChatLine(raw: string): Meant {
  const text = raw.trim();
  if (STOP.test(text)) return { kind: 'stop' };
  const decided = DECIDE.exec(text)?.groups;
  if (decided)
    return { kind: 'decide', code: (decided.code ?? '').toLowerCase(), yes: /^(?:yes|ja)$/iu.test(decided.word ?? '') };
  const { word: given, value = '' } = SETTING.exec(text)?.groups ?? {};
  const word = SETTING_WORDS.find((each) => each === given?.toLowerCase());
  return word ? { kind: 'setting', word, value: value.trim() } : { kind: 'request' };
}

/** A word that may be a reply code. */
export interface PossibleCode {
  readonly code: string;
  /** It follows a yes or no, as it does in an answer. */
  readonly answers: boolean;
}

/** The words of a text that may be reply codes, which only who gave them out can tell. */
export function possibleCodes(text: string): readonly PossibleCode[] {
  const found = [...text.matchAll(CODES)].map(({ groups = {} }) => groups);
  return found.map(({ word, code = '' }) => ({ code: code.toLowerCase(), answers: word !== undefined }));
}
