import type { IngestProgress, IngestReport } from '../../rag/types.ts';
import type { Command, CommandCall, Output } from '../command.ts';
import { ProgressLine } from '../progress-line.ts';

export const ingest: Command = {
  name: 'ingest',
  summary: 'Take files, folders and globs into the documents of the project',
  usage: ['ingest PATH... [--watch] [--rebuild]', 'ingest [--rebuild]          everything the project knows, again'],
  flags: { rebuild: { type: 'boolean' }, watch: { type: 'boolean' } },
  async run(call) {
    const report = await ingestOnce(call);
    showReport(report, call.out);
    if (report.aborted) return 130;
    if (call.flags.watch === true) await watch(call);
    return report.missing.length > 0 ? 1 : 0;
  },
};

async function ingestOnce({ args, flags, session, parts, out, signal }: CommandCall): Promise<IngestReport> {
  const line = new ProgressLine(out);
  const onProgress = (progress: IngestProgress) => line.show(progress);
  return parts.documents.ingest(session.project, args, { signal, onProgress, rebuild: flags.rebuild === true });
}

async function watch({ session, parts, out, signal }: CommandCall): Promise<void> {
  out.note('Watching for changes. Ctrl-C ends it.');
  await parts.documents.watch(session.project, { signal, onReport: (report) => showReport(report, out) });
}

function showReport(report: IngestReport, out: Output): void {
  out.row({ type: 'ingest', ...report });
  for (const path of report.missing) out.note(`not found: ${path}`);
  for (const { file, why } of report.failed) out.note(`could not be read: ${file}: ${why}`);
  for (const { file, why } of report.skipped) out.note(`skipped: ${file}: ${why}`);
  for (const file of report.empty) out.note(`empty: ${file}`);
  const counts = [
    `${report.indexed} read`,
    `${report.unchanged} unchanged`,
    ...(report.renamed > 0 ? [`${report.renamed} renamed`] : []),
    ...(report.removed > 0 ? [`${report.removed} removed`] : []),
  ];
  out.line(`${counts.join(', ')}; ${report.chunks} passages in the store`);
  if (report.aborted) out.note('Stopped. What was done stays; run the same again to go on.');
}
