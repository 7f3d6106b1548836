import { beginning } from '../../base/text.ts';
/** What came of replacing a text; `where` is a line or lines of the new text. */
export type Replaced =
  | { readonly ok: true; readonly text: string; readonly where: string }
  | { readonly ok: false; readonly problem: string };

/** Places that a refusal names. */
const NAMED = 5;

/** Replace the only occurrence of `old`; where it occurs more or less often, say what would help. */
export function replaceOnce(text: string, old: string, by: string): Replaced {
  const found = placesOf(text, old);
  const [at] = found;
  if (at === undefined) return otherwiseWritten(text, old, by);
  if (found.length > 1) {
    const lines = found.slice(0, NAMED).map((place) => lineAt(text, place));
    const more = found.length > NAMED ? ' and more' : '';
    const places = `${found.length} times (lines ${lines.join(', ')}${more})`;
    return { ok: false, problem: `the text occurs ${places}; add what stands before or after it.` };
  }
  if (old === by) return { ok: false, problem: 'old and new are the same.' };
  const first = lineAt(text, at);
  const last = first + countLines(by);
  return {
    ok: true,
    text: `${text.slice(0, at)}${by}${text.slice(at + old.length)}`,
    where: last > first ? `lines ${first}-${last}` : `line ${first}`,
  };
}

/** Line ends of another system, which a model does not see, are tried; for the rest it is told what stands there. */
function otherwiseWritten(text: string, old: string, by: string): Replaced {
  const dos = (part: string) => part.replace(/\r?\n/gu, '\r\n');
  if (text.includes('\r\n') && dos(old) !== old) return replaceOnce(text, dos(old), dos(by));
  const near = nearestLine(text, old);
  return {
    ok: false,
    problem: near === undefined ? 'the text does not occur in it.' : `the text does not occur in it; ${near}`,
  };
}

/** A line that is the first one of the text but for spaces and case. */
function nearestLine(text: string, old: string): string | undefined {
  const wanted = folded(old.split('\n').find((line) => line.trim() !== '') ?? '');
  if (wanted === '') return undefined;
  const lines = text.split('\n');
  const at = lines.findIndex((line) => folded(line) === wanted);
  const near = at < 0 ? lines.findIndex((line) => folded(line).includes(wanted)) : at;
  return near < 0 ? undefined : `line ${near + 1} reads ${JSON.stringify(beginning(lines[near] ?? '', 300))}.`;
}

function folded(line: string): string {
  return line.replace(/\s+/gu, ' ').trim().toLowerCase();
}

/** Overlapping ones count, since replacing one would change the other. */
function placesOf(text: string, part: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(part); at >= 0 && places.length <= 1000; at = text.indexOf(part, at + 1)) places.push(at);
  return places;
}

function lineAt(text: string, place: number): number {
  return countLines(text.slice(0, place)) + 1;
}

function countLines(text: string): number {
  return text.split('\n').length - 1;
}
