import { isRecord } from '../../base/json.ts';
import { phrases } from '../phrases.ts';
import { act, bare, type Intent, type Skill, type UserRequest } from '../request.ts';

/** A file name with an extension, in quotation marks or not: `notes.txt`, `"src/a.ts"`. */
const PATH = String.raw`{path:["'“„]?(?:[\w.@~-]+\/)*[\w.@~-]*\.[A-Za-z]\w{0,7}["'”“]?}`;
const FILE = '[the|a|a new|me a|die|eine|eine neue] [text] [file|datei] [called|named|namens|mit dem namen]';

const WRITE = phrases(
  {
    en: [
      `(write|save|put|store) {content} (to|in|into|as) ${FILE} ${PATH}`,
      `(create|make|write|save|start) ${FILE} ${PATH} (with|containing|that says|saying|which says|and write|with
        the text|with the content|with the contents|with the words) {content}`,
      `(write|save) (to|into) [the file] ${PATH} {content}`,
      `(replace|overwrite) [everything in|all of|the text of|the content of|the contents of] [the] [file] ${PATH}
        (with|by) {content}`,
    ],
    de: [
      `(schreib[e]|speicher[e]) {content} (in|nach|als) ${FILE} ${PATH}`,
      `(erstell[e]|leg[e]|schreib[e]) ${FILE} ${PATH} (mit|mit dem text|mit dem inhalt) {content} [an]`,
    ],
  },
  { long: true },
);
const APPEND = phrases({
  en: [`(append|add) {content} (to|at the end of) [the] [file] ${PATH}`],
  de: [`(häng[e]|füg[e]|ergänz[e]) {content} (an|zu|in) [die] [datei] ${PATH} [an|hinzu]`],
});
const READ = phrases({
  en: [
    `(read|show|open|display|print|cat|view|see|load|give|get) [me] [out] [the] [contents|content|text] [of] [the]
      [file] [called|named] ${PATH} [file] [to me|out|aloud]`,
    `(what's|what is|what does it say|what stands) [written] in [the] [file] ${PATH}`,
    `what does [the] [file] ${PATH} (say|contain)`,
  ],
  de: [
    `(lies|zeig[e]|öffne|gib) [mir] [mal] [die] [datei] ${PATH} [vor|an|aus]`,
    `was steht in [der] [datei]
    ${PATH}`,
  ],
});
const LIST = phrases({
  en: [
    `(list|show|display|what|what's|what is|what are|which) [me] [all] [in] [my|the|our] [project|project's]
      (files|folder|directory|documents) [are there|do i have|are in the project|are in the folder|are in this
      folder|are in my folder|in the project|in the folder|in my folder|in this folder]`,
  ],
  de: [
    '(zeig[e]|list[e]|nenn[e]) [mir] [alle|meine|die] (dateien|ordner) [auf|an]',
    'welche dateien (habe ich|gibt es|sind da) [im projekt|im ordner]',
  ],
});

/** "Read notes.txt", "write hello to a.txt": only for names with an extension, inside the project folder. */
export const files: Skill = {
  name: 'files',
  anyLength: true,
  command: true,
  examples: {
    en: ['read notes.txt', 'write "hello" to hello.txt', 'list my files'],
    de: ['lies notizen.txt', 'schreib „hallo“ in hallo.txt', 'welche Dateien habe ich?'],
  },
  recognize: (request) => {
    const { plain } = request;
    if (/https?:\/\//iu.test(plain)) return undefined;
    if (LIST(plain)) return listed(request);
    const written = WRITE(plain);
    if (written?.path !== undefined) return write(bare(written.path), bare(written.content ?? ''), request);
    const path = READ(plain)?.path;
    if (path !== undefined) return act({ tool: 'read_file', input: { path: bare(path) }, say: ({ text }) => text });
    return APPEND(plain) && cannotAppend(request);
  },
};

function listed(request: UserRequest): Intent {
  return act({
    tool: 'list_directory',
    input: { path: '.' },
    say: ({ value }) =>
      Array.isArray(value) && value.length > 0
        ? value.map((entry) => String(isRecord(entry) ? entry.path : entry)).join('\n')
        : request.in('The folder is empty.', 'Der Ordner ist leer.'),
  });
}

function write(path: string, content: string, request: UserRequest): Intent {
  return act({
    tool: 'write_file',
    input: { path, content },
    say: ({ text }) => request.in(text, `Geschrieben: ${path} (${content.length} Zeichen).`),
  });
}

/** Files are written whole: to append is to read first, which takes a model that can put texts together. */
function cannotAppend(request: UserRequest): Intent {
  return {
    kind: 'say',
    text: request.in(
      'I can only write whole files. "note: ..." adds to your journal; "write ... to FILE" replaces a file.',
      [
        'Ich kann nur ganze Dateien schreiben. „notiere: ...“ ergänzt dein Journal; „schreib ... in DATEI“',
        'ersetzt eine Datei.',
      ].join(' '),
    ),
  };
}
