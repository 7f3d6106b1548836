import type { CitedPlace, TextPart } from '../models/message-data.ts';
import type { Locator } from './types.ts';

/** How a citation names one of them, and several. */
const KINDS = { line: ['line', 'lines'], page: ['p.', 'pp.'], slide: ['slide', 'slides'] } as const;
const CITED = /\[(?<file>[^[\]\n]{1,300}), (?<word>lines?|pp?\.|slides?) (?<from>\d+)(?:-(?<to>\d+))?\]/gu;

/** Part of the citation, so that nobody can pass on what was read without it. */
export const UNCERTAIN = 'read from a picture, uncertain';

/** `[notes/oslo.md, lines 3-9]`, `[report.pdf, p. 4]`, `[plan.pptx, slide 2]`, `[letter.jpg, lower half]`. */
export function citation(locator: Omit<Locator, 'heading'>): string {
  const parts = [fileLabel(locator.file), whereIn(locator), locator.uncertain ? UNCERTAIN : ''];
  return `[${parts.filter((part) => part !== '').join(', ')}]`;
}

/** A text with the citations in it as data, as far as they name lines, pages or a slide. */
export function citedIn(text: string): TextPart[] {
  return partsBy(CITED, text, ({ file = '', word, from, to = from }) => {
    const kind = (['line', 'page', 'slide'] as const).find((each) => KINDS[each].some((own) => own === word));
    return kind && { place: { file, kind, from: Number(from), to: Number(to) } satisfies CitedPlace };
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

function whereIn({ pages, place, lines }: Omit<Locator, 'heading'>): string {
  if (pages) return span('page', pages);
  if (place) return place;
  return lines ? span('line', lines) : '';
}

function span(kind: 'page' | 'line', [from, to]: readonly [number, number]): string {
  const [one, several] = KINDS[kind];
  return from === to ? `${one} ${from}` : `${several} ${from}-${to}`;
}
