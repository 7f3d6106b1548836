import { pattern } from '../../base/pattern.ts';
import { act, bare, type Recognizer } from './intent.ts';

/** A file name with an extension, in quotation marks or not: `notes.txt`, `"src/a.ts"`. Its group is the path. */
const PATH = String.raw`["'“]?((?:[\w.@~-]+\/)*[\w.@~-]*\.[A-Za-z][\w]{0,7})["'”]?`;

/** Ways of asking for a file, with the numbers of the groups: `write hello to a.txt`, `create a.txt with hello`. */
const WRITE: readonly { readonly form: RegExp; readonly path: number; readonly content: number }[] = [
  {
    form: pattern(
      'isu',
      `^(?:write|save|put|store)\\s+(.+?)\\s+(?:to|in|into|as)\\s+(?:the |a `,
      `|a new )?(?:file )?(?:called |named )?${PATH}$`,
    ),
    content: 1,
    path: 2,
  },
  {
    form: pattern(
      'isu',
      `^(?:create|make|write|save|start)\\s+(?:the |a |a new `,
      `|me a )?(?:text )?(?:file )?(?:called |named )?${PATH}\\s+(?:with|containing|that says`,
      `|saying|which says|and write|with the (?:text|content|contents))(?: the (?:text|content`,
      `|contents|words))?\\s*:?\\s*(.+)$`,
    ),
    path: 1,
    content: 2,
  },
  {
    form: new RegExp(`^(?:write|save) (?:to|into) (?:the file )?${PATH}\\s*[:,]\\s*(.+)$`, 'isu'),
    path: 1,
    content: 2,
  },
];
const READ: readonly RegExp[] = [
  pattern(
    'isu',
    `^(?:read|show|open|display|print|cat|view|see|load|give me`,
    `|get)(?: me)?(?: out)?(?: the)?(?: contents?| text)?(?: of)?(?: the)?(?: file)?(?: called`,
    `| named)?\\s+${PATH}(?: file)?(?: to me| out| aloud)?$`,
  ),
  new RegExp(`^what(?:'s| is| does it say| stands)? (?:is )?(?:written )?in (?:the )?(?:file )?${PATH}$`, 'isu'),
  new RegExp(`^what does (?:the )?(?:file )?${PATH} (?:say|contain)$`, 'isu'),
];

/** "Read notes.txt", "write hello to a.txt": only for names with an extension, inside the project folder. */
export const files: Recognizer = ({ text }) => {
  if (/https?:\/\//iu.test(text)) return undefined;
  const sentence = text.replace(/[?!\s]+$/u, '').replace(/\.$/u, '');
  for (const { form, path, content } of WRITE) {
    const match = form.exec(sentence);
    if (match)
      return act({ tool: 'write_file', input: { path: match[path] ?? '', content: bare(match[content] ?? '') } });
  }
  const path = READ.map((form) => form.exec(sentence)?.[1]).find((found) => found !== undefined);
  return path === undefined ? undefined : act({ tool: 'read_file', input: { path } });
};

/** `list my files`, `what files are there`, `show the project folder`. */
const LIST = pattern(
  'u',
  "^(?:list|show|display|what(?:'s| is| are)?|which)(?: me)?(?: all)?(?: in)?(?: my| the",
  "| our)?(?: project(?:'s)?)? (?:files|folder|directory)(?: (?:are there|do i have",
  '|are in (?:the|this|my) (?:project|folder)|in (?:the|this|my) (?:project|folder)))?$',
);

/** "List my files", "what files are there?". */
export const fileList: Recognizer = ({ lower }) =>
  LIST.test(lower.replace(/[?!.\s]+$/u, '')) ? act({ tool: 'list_directory', input: { path: '.' } }) : undefined;
