import { findTools } from '../../tools/find-tools.ts';
import type { Tool } from '../../tools/tool.ts';
import { declareBarely, declareBriefly, untyped } from './declare.ts';
import { type NamedTool, spelling } from './names.ts';

/** As many functions as a small model keeps apart. */
const MOST = 15;
/** So many of them are those that the words of the request name, and so much of it is looked at. */
const MOST_ASKED = 3;
const LOOKED_AT_CHARS = 1000;

/** The tools of most requests, those first that a request does least well without. */
const USUAL = [
  ...['query_rag', 'write_note', 'schedule', 'reschedule', 'cancel_schedule', 'list_schedules', 'read_file'],
  ...['write_file', 'edit_file', 'list_directory', 'change_list', 'show_lists', 'web_search', 'fetch_text', 'notify'],
  ...['list_notes', 'delete_file'],
];

/** Shown to requests that name them: the prompt tells the time, and a search of the documents reads the files too. */
const WHEN_ASKED: ReadonlySet<string> = new Set([
  ...['search_files', 'current_time', 'move_file', 'delete_note', 'rename_schedule'],
]);

/** Their names and fields say what they do. */
const PLAIN: ReadonlySet<string> = new Set([
  ...['write_note', 'list_schedules', 'list_directory', 'search_files', 'delete_file', 'move_file', 'show_lists'],
  ...['web_search', 'fetch_text', 'notify', 'current_time', 'list_notes', 'delete_note', 'rename_schedule'],
]);

/** The few functions that a small model is told of: those that its request names, then the usual ones. */
export function fewFunctions(named: readonly NamedTool[], request: string): readonly NamedTool[] {
  const usual = [...named].sort((a, b) => rank(a.tool) - rank(b.tool));
  const asked = findTools(
    usual.map(({ tool }) => tool),
    request.slice(0, LOOKED_AT_CHARS),
  ).slice(0, MOST_ASKED);
  const others = usual.map(({ tool }) => tool).filter(({ name }) => !WHEN_ASKED.has(name));
  const few = new Set([...new Set([...asked, ...others])].slice(0, MOST));
  return usual.filter(({ tool }) => few.has(tool));
}

/** One line for each; words only where the name does not tell. */
export function declareFew(few: readonly NamedTool[]): string {
  const line = (named: NamedTool) => (PLAIN.has(named.tool.name) ? declareBarely(named) : declareBriefly(named, few));
  return few.map((named) => untyped(line(named))).join('\n');
}

/** A prompt without the examples that call what is not declared: a model would call it too. */
export function withFittingExamples(prompt: string, few: readonly NamedTool[]): string {
  const known = new Set(few.map(spelling));
  return prompt
    .split('\n\n')
    .filter((part) => [...part.matchAll(/\bawait (\w+)\(/gu)].every(([, name = '']) => known.has(name)))
    .join('\n\n');
}

function rank({ name }: Tool): number {
  const index = USUAL.indexOf(name);
  return index < 0 ? USUAL.length : index;
}
