import { resolve } from 'node:path';
import { counted } from '../../base/text.ts';
import { fileLabel } from '../../rag/citation.ts';
import { IMPORTED_KIND, importedFrom } from '../../rag/ingest/import-root.ts';
import { fitsPath } from '../../rag/search/filter.ts';
import { type FileNote, SOURCE_STATES, type SourceCounts, type SourceInfo, type SourceState } from '../../rag/types.ts';
import type { Origins } from '../../tools/gate/origins.ts';
import type { Command, Output } from '../command.ts';
import { badUsage } from '../flags.ts';

/** Above this many files, only those with a problem are listed, and the others are counted per folder. */
const MAX_LISTED = 50;
/** Only the number of further folders is printed. */
const MAX_FOLDERS = 20;
const COUNT_CHARS = 6;

/** Rows: every matching file with its state and the error, if any, also where people get only an overview. */
export const sources: Command = {
  name: 'sources',
  summary: 'List the files of the project, and whose text they are',
  group: 'Documents',
  chats: true,
  usage: [
    'sources [PART] [--all]              PART of a path, or a glob',
    `sources [PART] --state STATE        ${SOURCE_STATES.join(', ')}`,
  ],
  examples: ['sources', 'sources "*.pdf" --state failed'],
  basic: true,
  flags: { state: { type: 'string' }, all: { type: 'boolean' } },
  async run({ args, flags, session, app, out, signal }) {
    const state = stateOf(flags.state);
    const part = args.join(' ');
    const list = new SourceList(out, { whole: flags.all === true || state !== undefined });
    const states = state && [state];
    for await (const page of app.knowledge.documents.sourcePages(session.project, { states })) {
      const files = part === '' ? page : page.filter(({ file }) => fitsPath(file, part));
      for (const file of await judge(files, app.knowledge.origins)) list.add(file);
    }
    list.end();
    if (state === 'skipped')
      showPassedOver(await app.knowledge.documents.passedOver(session.project, signal), { part, out });
    const counts = await app.knowledge.documents.sourceCounts(session.project);
    if (counts.files > 0 && list.files === 0) out.note('No file of the project matches.');
    out.line(summaryOf(counts));
    const withheld = app.knowledge.documents.withheldFrom(session.project);
    if (withheld !== undefined) out.note(withheldLine(withheld));
    return 0;
  },
};

/** What is in no list of documents, since nobody asked for it; rows have the state `passed_over`. */
function showPassedOver(
  passed: readonly FileNote[],
  { part, out }: { readonly part: string; readonly out: Output },
): void {
  const asked = passed.filter(({ file }) => part === '' || fitsPath(file, part));
  for (const { file, why } of asked) {
    out.row({ file, state: 'passed_over', error: why });
    out.line(`passed over   -  ${fileLabel(file)}  (${why})`);
  }
  if (asked.length > 0) out.note('What is passed over is read when it is named: wooster ingest PATH');
}

/** For a local-only project: an embedding model is configured, but these documents are not sent to it. */
export function withheldLine(model: string): string {
  return `This project stays on this machine: it is searched without ${model}.`;
}

/** @throws AssistantError `bad_usage` for an unknown state. */
function stateOf(flag: unknown): SourceState | undefined {
  const state = SOURCE_STATES.find((each) => each === flag);
  if (flag === undefined || state !== undefined) return state;
  throw badUsage(`Unknown state "${String(flag)}".`, `Use one of ${SOURCE_STATES.join(', ')}.`);
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

/**
 * All files one by one when they are few or asked for; else those with a problem and those of others, then a count of
 * all files by folder. Files come a page at a time, and of most only the count is kept.
 */
class SourceList {
  readonly #out: Output;
  readonly #whole: boolean;
  readonly #first: JudgedSource[] = [];
  readonly #problems: JudgedSource[] = [];
  readonly #folders = new Map<string, { files: number; passages: number }>();
  #unlisted = 0;
  files = 0;

  constructor(out: Output, { whole }: { readonly whole: boolean }) {
    this.#out = out;
    this.#whole = whole;
  }

  add(file: JudgedSource): void {
    this.#out.row(file);
    this.files++;
    if (this.#whole) this.#out.line(lineOf(file));
    else this.#count(file);
  }

  #count(file: JudgedSource): void {
    if (this.files <= MAX_LISTED) this.#first.push(file);
    if (file.state !== 'indexed' || file.trust === 'untrusted')
      if (this.#problems.length < MAX_LISTED) this.#problems.push(file);
      else this.#unlisted++;
    const folder = folderOf(file);
    const count = this.#folders.get(folder) ?? { files: 0, passages: 0 };
    this.#folders.set(folder, { files: count.files + 1, passages: count.passages + file.chunks });
  }

  end(): void {
    if (this.#whole) return;
    const isShort = this.files <= MAX_LISTED;
    for (const file of isShort ? this.#first : this.#problems) this.#out.line(lineOf(file));
    if (isShort) return;
    if (this.#unlisted > 0) this.#out.line(`... and ${this.#unlisted} more like these`);
    const folders = [...this.#folders].sort(([, a], [, b]) => b.files - a.files);
    for (const [folder, count] of folders.slice(0, MAX_FOLDERS))
      this.#out.line(`${column(count.files, 'file')}, ${column(count.passages, 'passage')}  ${fileLabel(folder)}`);
    if (folders.length > MAX_FOLDERS) this.#out.line(`... and ${folders.length - MAX_FOLDERS} more folders`);
    this.#out.note(
      '--all lists every file, --state failed the unreadable ones, and PART of a path the files below it.',
    );
  }
}

function folderOf({ root, file }: JudgedSource): string {
  const [first = '', ...below] = file.split('/');
  return below.length === 0 ? `${root}/` : `${root}/${first}/`;
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
function summaryOf({ files, byState }: SourceCounts): string {
  const [indexed = 0] = byState;
  const share = files === 0 ? 0 : Math.round((indexed / files) * 100);
  const rest = SOURCE_STATES.map((state, at) => [state, byState[at] ?? 0] as const).slice(1);
  const others = rest.map(([state, count]) => (count > 0 ? `, ${count} ${state}` : '')).join('');
  return `${indexed} of ${counted(files, 'file')} searchable (${share} %)${others}`;
}
