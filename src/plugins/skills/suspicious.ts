import { pattern } from '../../base/pattern.ts';
import { preview } from '../../base/text.ts';

/** Something a line of a skill asks for that its owner should know about. */
export interface Suspicion {
  readonly file: string;
  readonly line: number;
  readonly kind: keyof typeof KINDS;
  readonly text: string;
}

/** Their names for people. */
export const KINDS = {
  fetch: 'fetches something',
  run: 'runs something',
  hide: 'hides something',
  send: 'sends something',
  orders: 'sets other rules aside',
  invisible: 'has invisible characters',
} as const;

const SIGNS: readonly (readonly [Suspicion['kind'], RegExp])[] = [
  ['fetch', /https?:\/\/|\b(?:curl|wget|fetch|download|git clone|herunterlad\w*|lade .{0,40} herunter)\b/iu],
  [
    'run',
    pattern(
      'iu',
      String.raw`\b(?:bash|zsh|powershell|sudo|chmod|eval|exec|subprocess|npx|npm (?:i|install)|pip3? install`,
      String.raw`|brew install)\b|\b(?:sh|python3?|node) \S+\.\w+|^#!|\bführe? .{0,40} aus\b`,
      String.raw`|\b(?:run|execute|paste) (?:this|the following|it|the script|the command)\b`,
    ),
  ],
  [
    'hide',
    pattern(
      'iu',
      String.raw`\b(?:do not|don'?t|never) (?:tell|mention|show|inform|reveal|ask)\b|\b(?:silently|secretly|quietly`,
      String.raw`|without (?:asking|telling|mentioning|confirmation|approval))\b|<!--|[A-Za-z0-9+/]{120,}={0,2}`,
      String.raw`|\b(?:verschweig\w*|heimlich|ohne (?:zu fragen|nachfrage))\b`,
    ),
  ],
  ['send', /\b(?:send|forward|upload|post|e-?mail|exfiltrate|transmit|webhook|sende|schicke|leite .{0,40} weiter)\b/iu],
  [
    'orders',
    pattern(
      'iu',
      String.raw`\b(?:ignore|disregard|forget|override) (?:all |any |the |your )*(?:previous|prior|above|other|system`,
      String.raw`|earlier)\b|\b(?:system prompt|api[_ -]?keys?|passwords?|credentials?|private key|\.env|\.ssh)\b`,
      String.raw`|\bignoriere? (?:alle|die) `,
    ),
  ],
  ['invisible', /[\p{Cf}\p{Co}\u{E0000}-\u{E007F}]/u],
];

const MAX_SUSPICIONS = 100;
const MAX_LINE_CHARS = 2000;

/** Lines of a skill's files that ask to fetch, run, hide or send something. Hints only, not proof. */
export function suspicionsIn(files: ReadonlyMap<string, Buffer>): Suspicion[] {
  const found: Suspicion[] = [];
  for (const [file, content] of files) {
    const lines = content.toString('utf8').split('\n');
    for (const [at, whole] of lines.entries()) {
      const line = whole.slice(0, MAX_LINE_CHARS);
      for (const [kind, sign] of SIGNS) {
        if (found.length >= MAX_SUSPICIONS) return found;
        if (sign.test(line)) found.push({ file, line: at + 1, kind, text: visible(preview(line, 120)) });
      }
    }
  }
  return found;
}

/** The text with invisible characters made visible. */
export function visible(text: string): string {
  const code = (character: string) => character.codePointAt(0)?.toString(16).toUpperCase() ?? '';
  return text.replace(/[^\n\t\P{C}]/gu, (character) => `⟨U+${code(character)}⟩`);
}
