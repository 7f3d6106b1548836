import { AssistantError } from '../../base/errors.ts';
import { fileLabel } from '../../rag/citation.ts';
import { IMPORTED_KIND, importedFrom } from '../../rag/ingest/imported.ts';
import { fitsPath } from '../../rag/search/filter.ts';
import { SOURCE_STATES, type SourceInfo, type SourceState } from '../../rag/types.ts';
import type { Command, Output } from '../command.ts';

/** So many files are listed one by one; of more, the ones with a problem and a count by folder. */
const MOST_LISTED = 50;
const MOST_FOLDERS = 20;

export const sources: Command = {
  name: 'sources',
  summary: 'Show every file of the project and what became of it',
  usage: [
    'sources [PART] [--all]              PART of a path, or a glob',
    `sources [PART] --state STATE        ${SOURCE_STATES.join(', ')}`,
  ],
  flags: { state: { type: 'string' }, all: { type: 'boolean' } },
  async run({ args, flags, session, app, out }) {
    const state = stateOf(flags.state);
    const part = args.join(' ');
    const known = await app.documents.sources(session.project);
    const files = known.filter(
      (file) => (state === undefined || file.state === state) && (part === '' || fitsPath(file.file, part)),
    );
    for (const file of files) out.row(file);
    if (flags.all === true || state !== undefined || files.length <= MOST_LISTED) list(files, out);
    else overview(files, out);
    if (known.length > 0 && files.length === 0) out.note('No file of the project is like that.');
    out.line(summaryOf(known));
    const withheld = app.documents.withheldFrom(session.project);
    if (withheld !== undefined) out.note(withheldLine(withheld));
    return 0;
  },
};

/** One line for the person: a model is set that these documents are kept from. */
export function withheldLine(model: string): string {
  return `Nothing of this project may leave the machine: it is searched without ${model}.`;
}

/** @throws AssistantError `bad_usage` for a state that no file can have. */
function stateOf(flag: unknown): SourceState | undefined {
  const state = SOURCE_STATES.find((each) => each === flag);
  if (flag === undefined || state !== undefined) return state;
  const hint = `Choose ${SOURCE_STATES.join(', ')}.`;
  throw new AssistantError('bad_usage', `--state ${String(flag)} is no state of a file.`, { hint });
}

function list(files: readonly SourceInfo[], out: Output): void {
  for (const file of files) out.line(lineOf(file));
}

/** What needs a look, then how much lies where. */
function overview(files: readonly SourceInfo[], out: Output): void {
  const problems = files.filter(({ state }) => state !== 'indexed');
  list(problems.slice(0, MOST_LISTED), out);
  if (problems.length > MOST_LISTED) out.line(`... and ${problems.length - MOST_LISTED} more of these`);
  const folders = [...byFolder(files)].sort(([, a], [, b]) => b.files - a.files);
  for (const [folder, count] of folders.slice(0, MOST_FOLDERS))
    out.line(`${counted(count.files, 'file')}, ${counted(count.passages, 'passage')}  ${fileLabel(folder)}`);
  if (folders.length > MOST_FOLDERS) out.line(`... and ${folders.length - MOST_FOLDERS} more folders`);
  out.note('--all lists every file, --state failed those that could not be read, PART of a path what lies there.');
}

function byFolder(files: readonly SourceInfo[]): Map<string, { files: number; passages: number }> {
  const folders = new Map<string, { files: number; passages: number }>();
  for (const { root, file, chunks } of files) {
    const [first = '', ...below] = file.split('/');
    const folder = below.length === 0 ? `${root}/` : `${root}/${first}/`;
    const count = folders.get(folder) ?? { files: 0, passages: 0 };
    folders.set(folder, { files: count.files + 1, passages: count.passages + chunks });
  }
  return folders;
}

function counted(count: number, what: string): string {
  return `${String(count).padStart(6)} ${what}${count === 1 ? '' : 's'}`;
}

function lineOf({ file, root, kind, state, chunks, error }: SourceInfo): string {
  const passages = state === 'indexed' ? `${chunks}`.padStart(6) : '     -';
  const origin = kind === IMPORTED_KIND ? `  (imported from ${fileLabel(importedFrom(root))})` : '';
  return `${state.padEnd(8)} ${passages}  ${fileLabel(file)}${origin}${error === null ? '' : `  (${error})`}`;
}

function summaryOf(files: readonly SourceInfo[]): string {
  const count = (state: SourceState) => files.filter((file) => file.state === state).length;
  const indexed = count('indexed');
  const share = files.length === 0 ? 0 : Math.round((indexed / files.length) * 100);
  const rest = SOURCE_STATES.filter((state) => state !== 'indexed' && count(state) > 0);
  const others = rest.map((state) => `, ${count(state)} ${state}`).join('');
  return `${indexed} of ${files.length} files can be searched (${share} %)${others}`;
}
