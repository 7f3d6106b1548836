import { pattern } from '../base/pattern.ts';
import { preview } from '../base/text.ts';
import type { CitedPlace, TextPart } from '../models/message-data.ts';
import type { Locator } from './types.ts';

/** How a citation names one of them, and several. */
const KINDS = { line: ['line', 'lines'], page: ['p.', 'pp.'], slide: ['slide', 'slides'] } as const;
const PLACE = String.raw`(?:lines?|pp?\.|slides?) \d+(?:-\d+)?`;
/** The end of a file's name, by which a name with a comma in it is told from a file and a heading. */
const FILE_END = String.raw`\.[\p{L}\d]{1,8}`;
/** As a part of a regular expression: the heading behind the file, where a citation has one. */
export const CITED_HEADING = String.raw`(?:, (?<heading>(?![^,\]]{0,80}${FILE_END},)[^[\],\n]{1,80}))??`;
/** @see the page's own in `server/page/markdown.ts`. */
const CITED = pattern(
  'gu',
  String.raw`\[(?<file>[^[\]\n]{1,300}?)${CITED_HEADING}`,
  String.raw`, (?<word>lines?|pp?\.|slides?) (?<from>\d+)(?:-(?<to>\d+))?\]`,
);
/** Headings that name no section, such as the time of a note, and those that would be read back as something else. */
const NO_HEADING = pattern('u', String.raw`^\P{L}*$|^${PLACE}$|${FILE_END}$`);
const MAX_HEADING_CHARS = 60;

/** What is cited; a whole file has no heading. */
type Cited = Omit<Locator, 'heading'> & Partial<Pick<Locator, 'heading'>>;

/** Part of the citation, so that nobody can pass on what was read without it. */
export const UNCERTAIN = 'read from a picture, uncertain';

/**
 * `[lease.md, 12. Notice, lines 40-44]`, `[report.pdf, p. 4]`, `[plan.pptx, slide 2]`, `[letter.jpg, lower half]`: the
 * file, the heading right above the place unless it only repeats the file's name, and the place.
 */
export function citation(locator: Cited): string {
  const where = whereIn(locator);
  const parts = [fileLabel(locator.file), headingIn(locator, where), where, locator.uncertain ? UNCERTAIN : ''];
  return `[${parts.filter((part) => part !== '').join(', ')}]`;
}

/** A text with the citations in it as data, as far as they name lines, pages or a slide. */
export function citedIn(text: string): TextPart[] {
  return partsBy(CITED, text, ({ file = '', heading, word, from, to = from }) => {
    const kind = (['line', 'page', 'slide'] as const).find((each) => KINDS[each].some((own) => own === word));
    return kind && { place: { file, heading, kind, from: Number(from), to: Number(to) } satisfies CitedPlace };
  });
}

/** What a pattern finds in a text as data, and the text in between. @param read undefined: it is not what it seems. */
export function partsBy(
  found: RegExp,
  text: string,
  read: (groups: Readonly<Record<string, string | undefined>>) => Omit<TextPart, 'text'> | undefined,
): TextPart[] {
  const parts: TextPart[] = [];
  let end = 0;
  for (const match of text.matchAll(found)) {
    const data = read(match.groups ?? {});
    if (!data) continue;
    if (match.index > end) parts.push({ text: text.slice(end, match.index) });
    parts.push({ text: match[0], ...data });
    end = match.index + match[0].length;
  }
  return end < text.length ? [...parts, { text: text.slice(end) }] : parts;
}

/** A file's name on one line, whatever characters it contains. */
export function fileLabel(file: string): string {
  return file.replace(/[\u0000-\u001f\u007f\u0085\u2028\u2029]+/gu, ' ');
}

/** Without the commas and brackets that hold a citation together; empty where file or place say as much. */
function headingIn({ file, heading = [] }: Cited, where: string): string {
  const said = fileLabel(heading.at(-1) ?? '')
    .replace(/[[\],]/gu, ' ')
    .replace(/\s+/gu, ' ')
    .trim();
  const letters = (text: string) => text.toLowerCase().replace(/[^\p{L}\d]/gu, '');
  const name = file.slice(file.lastIndexOf('/') + 1).replace(/\.[^.]*$/u, '');
  const isSaid = letters(said) === letters(name) || `${where},`.startsWith(`${said},`);
  return isSaid || NO_HEADING.test(said) ? '' : preview(said, MAX_HEADING_CHARS);
}

function whereIn({ pages, place, lines }: Cited): string {
  if (pages) return span('page', pages);
  if (place) return place;
  return lines ? span('line', lines) : '';
}

function span(kind: 'page' | 'line', [from, to]: readonly [number, number]): string {
  const [one, several] = KINDS[kind];
  return from === to ? `${one} ${from}` : `${several} ${from}-${to}`;
}
