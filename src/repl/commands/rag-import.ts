import { resolve } from 'node:path';
import { AssistantError } from '../../base/errors.ts';
import { counted } from '../../base/text.ts';
import { IMPORTED_KIND, importedFrom } from '../../rag/ingest/import-root.ts';
import type { ImportReport, IngestProgress, SourceInfo } from '../../rag/types.ts';
import type { CommandCall, Output } from '../command.ts';
import { isYes, textFlag } from '../flags.ts';
import { ProgressLine } from '../progress-line.ts';

/** `rag import`: import a vector store that LangChain's HNSWLib saved, or remove what was imported from one. */
export async function ragImport(call: CommandCall, words: readonly string[]): Promise<number> {
  const [folder, ...more] = words;
  if (folder === undefined || more.length > 0)
    throw new AssistantError('bad_usage', 'rag import needs one folder.', {
      hint: 'Usage: wooster rag import FOLDER, the folder that LangChain saved its store to',
    });
  return call.flags.remove === true ? remove(call, folder) : take(call, folder);
}

async function take({ app, session, flags, out, signal }: CommandCall, folder: string): Promise<number> {
  app.knowledge.projects.create(session.project);
  const line = new ProgressLine(out);
  const onProgress = (progress: IngestProgress) => line.show(progress);
  const vectors = textFlag(flags, 'vectors');
  const report = await app.knowledge.documents.importStore(session.project, folder, { signal, onProgress, vectors });
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
    ...(vectors > 0 ? [`${counted(vectors, 'vector')} kept`] : []),
  ];
  return `${counts.join(', ')}; ${counted(chunks, 'passage')} in the index`;
}

async function remove({ app, session, out, signal }: CommandCall, folder: string): Promise<number> {
  const all = (await app.knowledge.documents.sources(session.project)).filter(({ kind }) => kind === IMPORTED_KIND);
  const gone = all.filter(({ root }) => importedFrom(root) === resolve(folder));
  if (gone.length === 0) return nothingFrom(folder, all, out);
  const passages = gone.reduce((sum, { chunks }) => sum + chunks, 0);
  const what = `${counted(gone.length, 'imported document')} (${counted(passages, 'passage')})`;
  const question = `Remove ${what} from project ${session.project}? [y/N] `;
  if (!session.yes && !isYes(await out.ask(question))) {
    out.note('Nothing was removed.');
    return 1;
  }
  const removed = await app.knowledge.documents.removeImported(session.project, folder, { signal });
  out.show({ type: 'import', folder: resolve(folder), removed }, `${counted(removed, 'imported document')} removed`);
  return 0;
}

function nothingFrom(folder: string, all: readonly SourceInfo[], out: Output): number {
  out.note(`Nothing was imported from ${resolve(folder)}.`);
  for (const known of new Set(all.map(({ root }) => importedFrom(root)))) out.note(`Imported from: ${known}`);
  return 1;
}
