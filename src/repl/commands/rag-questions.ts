import { AssistantError } from '../../base/errors.ts';
import { type CheckReport, type CheckResult, Checks } from '../../rag/eval/checks.ts';
import type { CommandCall, Output } from '../command.ts';

/** `rag test`: the user's own test questions, kept per project, and how well the search answers them now. */
export async function ragTest(call: CommandCall, words: readonly string[]): Promise<number> {
  const { app, session, out } = call;
  const checks = new Checks(app.store);
  const [verb = 'run', question = '', documentId = ''] = words;
  if (verb === 'run') return runChecks(call, checks);
  if (verb === 'list') {
    for (const check of await checks.list(session.project)) {
      const rank = String(check.rank ?? '-').padStart(2);
      out.show(check, `${rank}  ${check.question} -> ${check.documentId}`);
    }
    return 0;
  }
  if (verb === 'add' && documentId !== '') {
    await checks.add(session.project, { question, documentId });
    out.line(`Added: ${question} -> ${documentId}`);
    return 0;
  }
  if (verb === 'remove' && question !== '') return (await checks.remove(session.project, question)) ? 0 : 1;
  throw new AssistantError('bad_usage', 'rag test needs a question and the document that answers it.', {
    hint: 'Usage: wooster rag test add "how long is the notice period" contracts/flat',
  });
}

/** Exit code 1 when a question is answered worse than at the last run. */
async function runChecks({ app, session, out }: CommandCall, checks: Checks): Promise<number> {
  const report = await checks.run(app.knowledge.documents, session.project);
  if (report.results.length === 0) {
    out.note('There are no test questions yet. Add one: wooster rag test add "QUESTION" DOCUMENT');
    return 0;
  }
  for (const result of report.results) out.show(result, resultLine(result));
  showScore(report, out);
  await checks.keep(session.project, report.results, new Date());
  return report.dropped.length > 0 ? 1 : 0;
}

/** List the questions that are answered worse than at the last check; silent when there are none. */
export function showDrops(report: CheckReport, out: Output): void {
  if (report.dropped.length === 0) return;
  out.note('Some of your questions are answered worse than before:');
  for (const result of report.dropped) out.note(`  ${resultLine(result)}`);
  showScore(report, out);
}

function showScore({ score, scoreBefore }: CheckReport, out: Output): void {
  const before = scoreBefore === null ? '' : ` (was ${scoreBefore.toFixed(2)})`;
  out.line(`Mean reciprocal rank: ${score.toFixed(2)}${before}`);
}

function resultLine({ question, documentId, rank, before }: CheckResult): string {
  const place = rank === 0 ? 'not in the top 10' : `rank ${rank}`;
  const was = before === null || before === rank ? '' : `, was ${before === 0 ? 'not found' : before}`;
  return `${question} -> ${documentId}: ${place}${was}`;
}
