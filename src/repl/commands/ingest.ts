import { counted } from '../../base/text.ts';
import { fileLabel } from '../../rag/citation.ts';
import { Checks } from '../../rag/eval/checks.ts';
import type { IngestProgress, IngestReport, SourceState } from '../../rag/types.ts';
import { mustKeep } from '../../store/unkept.ts';
import type { Command, CommandCall, Output } from '../command.ts';
import { isYes } from '../flags.ts';
import { ProgressLine } from '../progress-line.ts';
import { showDrops } from './rag-questions.ts';
import { withheldLine } from './sources.ts';

/** Files named per state after an ingest; `sources` lists the rest. */
const MAX_NOTES = 20;

/**
 * Reads new and changed files, and drops those that are gone. Afterwards the user's test questions are asked again.
 * Row: `{type: 'ingest', ...counts}`, with `--watch` one for each change. Exit code 1 when a path is missing.
 */
export const ingest: Command = {
  name: 'ingest',
  summary: 'Add files, folders and globs to the documents of the project',
  group: 'Documents',
  usage: [
    'ingest PATH... [--watch] [--rebuild]',
    'ingest [--rebuild]          refresh everything the project has',
    'ingest mcp:SERVER/URI       a resource of an MCP server',
  ],
  examples: ['ingest ~/Documents/flat', 'ingest notes.md --watch', 'ingest --rebuild'],
  basic: true,
  flags: { rebuild: { type: 'boolean' }, watch: { type: 'boolean' } },
  async run(call) {
    mustKeep(call.app.store);
    call.app.knowledge.projects.create(call.session.project);
    const report = await ingestOnce(call);
    showReport(report, call.out);
    if (report.aborted) return 130;
    if (call.flags.watch === true) await watch(call);
    return report.missing.length > 0 || report.refused ? 1 : 0;
  },
};

async function ingestOnce(call: CommandCall): Promise<IngestReport> {
  const { args, flags, session, app, out, signal } = call;
  const line = new ProgressLine(out);
  const onProgress = (progress: IngestProgress) => line.show(progress);
  const rebuild = flags.rebuild === true;
  const accept = (trial: string) => judge(call, trial);
  const paths = args.some((arg) => arg.startsWith('mcp:'))
    ? await (await import('./mcp-more.ts')).savedResources(call, args)
    : args;
  const report = await app.knowledge.documents.ingest(session.project, paths, { signal, onProgress, rebuild, accept });
  if (!rebuild && report.indexed + report.removed > 0 && !report.aborted) await checkAfter(call);
  return report;
}

/** Try a rebuilt index on the user's test questions; if any is answered worse, ask before it replaces the old one. */
async function judge({ session, app, out }: CommandCall, trial: string): Promise<boolean> {
  const checks = new Checks(app.store);
  if ((await checks.list(session.project)).length === 0) return true;
  const before = await checks.run(app.knowledge.documents, session.project);
  await checks.keep(session.project, before.results, new Date());
  const report = await checks.run(app.knowledge.documents, session.project, trial);
  showDrops(report, out);
  const accepted =
    report.dropped.length === 0 || session.yes || isYes(await out.ask('Use the new index anyway? [y/N] '));
  if (accepted) await checks.keep(session.project, report.results, new Date());
  return accepted;
}

/** After new or removed files: say which of the user's test questions are now answered worse. */
async function checkAfter({ session, app, out }: CommandCall): Promise<void> {
  const checks = new Checks(app.store);
  const report = await checks.run(app.knowledge.documents, session.project);
  showDrops(report, out);
  await checks.keep(session.project, report.results, new Date());
}

/** Until the signal fires; each change is reported like a separate ingest. */
async function watch({ session, app, out, signal }: CommandCall): Promise<void> {
  out.note('Watching for changes. Ctrl-C stops it.');
  await app.knowledge.documents.watch(session.project, { signal, onReport: (report) => showReport(report, out) });
}

/** Problems go to stderr, the counts to stdout. */
function showReport(report: IngestReport, out: Output): void {
  out.row({ type: 'ingest', ...report });
  for (const path of report.missing) out.note(`not found: ${fileLabel(path)}`);
  const because = ({ file, why }: { readonly file: string; readonly why: string }) => `${fileLabel(file)}: ${why}`;
  showNotes('failed', 'cannot be read', report.failed.map(because), out);
  showNotes('skipped', 'skipped', report.skipped.map(because), out);
  showNotes('empty', 'empty', report.empty.map(fileLabel), out);
  const counts = [
    `${report.indexed} read`,
    `${report.unchanged} unchanged`,
    ...(report.renamed > 0 ? [`${report.renamed} renamed`] : []),
    ...(report.removed > 0 ? [`${report.removed} removed`] : []),
  ];
  out.line(`${counts.join(', ')}; ${counted(report.chunks, 'passage')} in the index`);
  if (report.withheldFrom !== undefined) out.note(withheldLine(report.withheldFrom));
  if (report.refused) out.note('The new index was discarded; the old one stays in use.');
  if (report.aborted) out.note('Stopped. Finished files are kept; run the same command again to continue.');
}

/** The first notes, and how to list the others. */
function showNotes(state: SourceState, what: string, notes: readonly string[], out: Output): void {
  for (const note of notes.slice(0, MAX_NOTES)) out.note(`${what}: ${note}`);
  const more = notes.length - MAX_NOTES;
  if (more > 0) out.note(`... and ${more} more: wooster sources --state ${state}`);
}
