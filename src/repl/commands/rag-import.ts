import { resolve } from 'node:path';
import { AssistantError } from '../../base/errors.ts';
import { IMPORTED_KIND, importedFrom } from '../../rag/ingest/imported.ts';
import type { ImportReport, IngestProgress, SourceInfo } from '../../rag/types.ts';
import type { CommandCall, Output } from '../command.ts';
import { ProgressLine } from '../progress-line.ts';

/** `rag import`: take over a store that LangChain's HNSWLib saved, or forget one that was. */
export async function ragImport(call: CommandCall, words: readonly string[]): Promise<number> {
  const [folder, ...more] = words;
  if (folder === undefined || more.length > 0)
    throw new AssistantError('bad_usage', 'rag import needs one folder.', {
      hint: 'wooster rag import FOLDER, where LangChain saved its store',
    });
  return call.flags.remove === true ? remove(call, folder) : take(call, folder);
}

async function take({ app, session, flags, out, signal }: CommandCall, folder: string): Promise<number> {
  app.projects.create(session.project);
  const line = new ProgressLine(out);
  const onProgress = (progress: IngestProgress) => line.show(progress);
  const vectors = typeof flags.vectors === 'string' ? flags.vectors : undefined;
  const report = await app.documents.importStore(session.project, folder, { signal, onProgress, vectors });
  out.row({ type: 'import', folder: resolve(folder), ...report });
  if (report.aborted) {
    out.note('Stopped. Nothing was imported.');
    return 130;
  }
  out.line(lineOf(report));
  return 0;
}

function lineOf({ imported, unchanged, removed, vectors, chunks }: ImportReport): string {
  const counts = [
    `${imported} imported`,
    `${unchanged} unchanged`,
    ...(removed > 0 ? [`${removed} removed`] : []),
    ...(vectors > 0 ? [`${vectors} vectors taken over`] : []),
  ];
  return `${counts.join(', ')}; ${chunks} passages in the store`;
}

async function remove({ app, session, out, signal }: CommandCall, folder: string): Promise<number> {
  const all = (await app.documents.sources(session.project)).filter(({ kind }) => kind === IMPORTED_KIND);
  const gone = all.filter(({ root }) => importedFrom(root) === resolve(folder));
  if (gone.length === 0) return nothingFrom(folder, all, out);
  const passages = gone.reduce((sum, { chunks }) => sum + chunks, 0);
  const question = `Remove ${gone.length} imported documents (${passages} passages) from project ${session.project}? [y/N] `;
  if (!session.yes && !/^y(?:es)?$/iu.test((await out.ask(question))?.trim() ?? '')) {
    out.note('Nothing was removed.');
    return 1;
  }
  const removed = await app.documents.removeImported(session.project, folder, { signal });
  out.row({ type: 'import', folder: resolve(folder), removed });
  out.line(`${removed} imported documents removed`);
  return 0;
}

function nothingFrom(folder: string, all: readonly SourceInfo[], out: Output): number {
  out.note(`Nothing was imported from ${resolve(folder)}.`);
  for (const known of new Set(all.map(({ root }) => importedFrom(root)))) out.note(`There is: ${known}`);
  return 1;
}
