/** What one line typed at the prompt means. */
export type Line =
  | { readonly kind: 'empty' }
  | { readonly kind: 'turn'; readonly text: string }
  | { readonly kind: 'command'; readonly name: string; readonly words: readonly string[] };

/** Forms without a slash from legacy versions, and the command that each one means. */
const LEGACY_FORMS: readonly (readonly [RegExp, string])[] = [
  [/^(?:exit|quit)$/iu, '/quit'],
  [/^help$/iu, '/help'],
  [/^status$/iu, '/doctor'],
  [/^(mode|code)$/iu, '/$1'],
  [/^mode (code|tools|auto|code_agent|classic_tools)$/iu, '/mode $1'],
  [/^code log (on|off)$/iu, '/code log $1'],
  [/^code attempts (\d+)$/iu, '/code attempts $1'],
  [/^list (models|plugins|tools)$/iu, '/$1'],
  [/^list files$/iu, '/sources'],
  [/^list projects$/iu, '/project list'],
  [/^list (?:reminders|scheduler tasks|scheduled tasks|schedules)$/iu, '/schedule list'],
  [/^cancel (sch\S+|job\S+)$/iu, '/schedule remove $1'],
  [/^create project (\S+)$/iu, '/project create $1'],
  [/^(?:load|open) project (\S+)$/iu, '/project use $1'],
  [/^quit project$/iu, '/project use home'],
  [/^routing status$/iu, '/models routing'],
  [/^model (?:stats|health)$/iu, '/models'],
  [/^switch model (\S+)$/iu, '/models use $1'],
  [/^rebuild embeddings$/iu, '/ingest --rebuild'],
];

/** Read one line: a slash command, a legacy bare form, or a question. `//` at the start escapes the slash. */
export function readLine(raw: string): Line {
  const text = raw.trim();
  if (text === '') return { kind: 'empty' };
  if (text.startsWith('//')) return { kind: 'turn', text: text.slice(1) };
  const line = text.startsWith('/') ? text : fromLegacyForm(text);
  if (line === undefined || !/^\/[a-z]/iu.test(line)) return { kind: 'turn', text };
  const [name = '', ...words] = splitWords(line.slice(1));
  // A path at the start of a sentence ("/etc/hosts says what?") is not a command.
  if (name.includes('/')) return { kind: 'turn', text };
  return { kind: 'command', name: name.toLowerCase(), words };
}

/** The command behind a bare form of the legacy Wooster; undefined for anything else. */
function fromLegacyForm(text: string): string | undefined {
  const folded = text.replace(/\s+/gu, ' ');
  const form = LEGACY_FORMS.find(([pattern]) => pattern.test(folded));
  return form && folded.replace(form[0], form[1]);
}

/** Split as a shell would: quotes group, also after `=`, but an apostrophe inside a word is a letter. */
export function splitWords(line: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  for (const [piece, double, single] of line.matchAll(/\s+|"((?:[^"\\]|\\.)*)"|(?<=^|\s|=)'([^']*)'(?=\s|$)|[^\s]/gu)) {
    if (/^\s/u.test(piece)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? '') + (double?.replace(/\\(["\\])/gu, '$1') ?? single ?? piece);
  }
  return word === undefined ? words : [...words, word];
}
