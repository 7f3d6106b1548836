import { resolve } from 'node:path';
import { AssistantError } from '../../base/errors.ts';
import { counted } from '../../base/text.ts';
import { fileLabel } from '../../rag/citation.ts';
import { IMPORTED_KIND, importedFrom } from '../../rag/ingest/import-root.ts';
import { fitsPath } from '../../rag/search/filter.ts';
import { SOURCE_STATES, type SourceInfo, type SourceState } from '../../rag/types.ts';
import type { Origins } from '../../tools/gate/origins.ts';
import type { Command, Output } from '../command.ts';

/** Above this many files, only those with a problem are listed, and the others counted by folder. */
const MAX_LISTED = 50;
/** Only the number of further folders is printed. */
const MAX_FOLDERS = 20;
const COUNT_CHARS = 6;

/** Rows: every matching file with its state and the error, if any, also where people get only an overview. */
export const sources: Command = {
  name: 'sources',
  summary: 'List the files of the project, and whose text they are',
  group: 'Documents',
  usage: [
    'sources [PART] [--all]              PART of a path, or a glob',
    `sources [PART] --state STATE        ${SOURCE_STATES.join(', ')}`,
  ],
  examples: ['sources', 'sources "*.pdf" --state failed'],
  flags: { state: { type: 'string' }, all: { type: 'boolean' } },
  async run({ args, flags, session, app, out }) {
    const state = stateOf(flags.state);
    const part = args.join(' ');
    const known = await app.documents.sources(session.project);
    const files = known.filter(
      (file) => (state === undefined || file.state === state) && (part === '' || fitsPath(file.file, part)),
    );
    const judged = await judge(files, app.origins);
    for (const file of judged) out.row(file);
    if (flags.all === true || state !== undefined || files.length <= MAX_LISTED) list(judged, out);
    else overview(judged, out);
    if (known.length > 0 && files.length === 0) out.note('No file of the project matches.');
    out.line(summaryOf(known));
    const withheld = app.documents.withheldFrom(session.project);
    if (withheld !== undefined) out.note(withheldLine(withheld));
    return 0;
  },
};

/** Said of a local-only project: an embedding model is configured, but these documents are not sent to it. */
export function withheldLine(model: string): string {
  return `This project stays on this machine: it is searched without ${model}.`;
}

/** @throws AssistantError `bad_usage` for an unknown state. */
function stateOf(flag: unknown): SourceState | undefined {
  const state = SOURCE_STATES.find((each) => each === flag);
  if (flag === undefined || state !== undefined) return state;
  const hint = `Use one of ${SOURCE_STATES.join(', ')}.`;
  throw new AssistantError('bad_usage', `Unknown state "${String(flag)}".`, { hint });
}

/** A file, and whose text it is. */
interface JudgedSource extends Omit<SourceInfo, 'sha256'> {
  readonly trust: 'owner' | 'untrusted';
  /** Why it is untrusted. */
  readonly why: string | null;
}

async function judge(files: readonly SourceInfo[], origins: Origins): Promise<readonly JudgedSource[]> {
  const known = files.map(({ root, file, kind, sha256 }) => {
    return { path: kind === IMPORTED_KIND ? undefined : resolve(root, file), sha256 };
  });
  const judgements = await origins.files.judgeAll(known);
  return files.map(({ sha256: _content, ...file }, index) => {
    const { untrusted = true, why = null } = judgements[index] ?? {};
    return { ...file, trust: untrusted ? 'untrusted' : 'owner', why };
  });
}

function list(files: readonly JudgedSource[], out: Output): void {
  for (const file of files) out.line(lineOf(file));
}

/** The files with a problem and those of others, then a count of all files by folder. */
function overview(files: readonly JudgedSource[], out: Output): void {
  const problems = files.filter(({ state, trust }) => state !== 'indexed' || trust === 'untrusted');
  list(problems.slice(0, MAX_LISTED), out);
  if (problems.length > MAX_LISTED) out.line(`... and ${problems.length - MAX_LISTED} more like these`);
  const folders = [...byFolder(files)].sort(([, a], [, b]) => b.files - a.files);
  for (const [folder, count] of folders.slice(0, MAX_FOLDERS))
    out.line(`${column(count.files, 'file')}, ${column(count.passages, 'passage')}  ${fileLabel(folder)}`);
  if (folders.length > MAX_FOLDERS) out.line(`... and ${folders.length - MAX_FOLDERS} more folders`);
  out.note('--all lists every file, --state failed the unreadable ones, and PART of a path the files below it.');
}

function byFolder(files: readonly JudgedSource[]): Map<string, { files: number; passages: number }> {
  const folders = new Map<string, { files: number; passages: number }>();
  for (const { root, file, chunks } of files) {
    const [first = '', ...below] = file.split('/');
    const folder = below.length === 0 ? `${root}/` : `${root}/${first}/`;
    const count = folders.get(folder) ?? { files: 0, passages: 0 };
    folders.set(folder, { files: count.files + 1, passages: count.passages + chunks });
  }
  return folders;
}

function column(count: number, noun: string): string {
  const text = counted(count, noun);
  return text.padStart(text.length - String(count).length + COUNT_CHARS);
}

function lineOf({ file, root, kind, state, chunks, error, why }: JudgedSource): string {
  const passages = state === 'indexed' ? `${chunks}`.padStart(6) : '     -';
  const origin = kind === IMPORTED_KIND ? `  (imported from ${fileLabel(importedFrom(root))})` : '';
  const trust = why === null ? '' : `  untrusted: ${why}`;
  return `${state.padEnd(8)} ${passages}  ${fileLabel(file)}${origin}${error === null ? '' : `  (${error})`}${trust}`;
}

/** `1002 of 1063 files searchable (94 %), 1 empty, 60 failed`. */
function summaryOf(files: readonly SourceInfo[]): string {
  const count = (state: SourceState) => files.filter((file) => file.state === state).length;
  const indexed = count('indexed');
  const share = files.length === 0 ? 0 : Math.round((indexed / files.length) * 100);
  const rest = SOURCE_STATES.filter((state) => state !== 'indexed' && count(state) > 0);
  const others = rest.map((state) => `, ${count(state)} ${state}`).join('');
  return `${indexed} of ${counted(files.length, 'file')} searchable (${share} %)${others}`;
}
