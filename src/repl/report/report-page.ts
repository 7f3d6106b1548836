import { counted, preview } from '../../base/text.ts';
import type { App, Knowledge } from '../../face/app.ts';
import { SOURCE_STATES, type SourceInfo } from '../../rag/types.ts';
import { readReceipts } from '../../tools/gate/receipts.ts';
import { localTime, sayDay } from '../../when/calendar.ts';
import { type Html, html, meter, page, table } from './html.ts';
import { week } from './week.ts';

const DAYS = 30;
const DAY_MS = 86_400_000;
const RUNS_PER_JOB = 5;
const MAX_EFFECTS = 100;
const MAX_FILES = 50;
/** The next jobs to be listed; a page of very many would help nobody. */
const MAX_JOBS = 500;
const TEXT_CHARS = 160;

/** The home on one page: the week first, then jobs, documents and effects, costs last. Known secrets are hidden. */
export async function reportPage(app: App, now: Date): Promise<string> {
  const sections = [
    ['The week', await week(app, now)],
    ['Jobs and runs', await jobs(app)],
    ['Sources', await sources(app)],
    ['Waiting and decided approvals', await approvals(app)],
    ['Effects', await effects(app)],
    ['Usage by day', await usage(app, 'day', new Date(now.getTime() - DAYS * DAY_MS))],
    ['Usage by model', await usage(app, 'model', undefined)],
  ] as const;
  const { timeZone, redactor } = app.home;
  const about = `${sayDay(now, timeZone)}, ${localTime(now, timeZone).slice(11, 16)} (${timeZone})`;
  return redactor.hideKnown(page('Wooster report', about, sections));
}

async function usage({ models }: App, group: 'day' | 'model', since: Date | undefined): Promise<Html> {
  const sums = await models.usage(group, since);
  const cost = sums.some(({ costUsd }) => costUsd > 0);
  const sizeOf = (sum: (typeof sums)[number]) => (cost ? sum.costUsd : sum.inputTokens + sum.outputTokens);
  const most = Math.max(0, ...sums.map(sizeOf));
  const unknown = (calls: number) => (calls > 0 ? ` + ${counted(calls, 'call')} of unknown price` : '');
  const rows = sums.map((sum) => [
    sum.group,
    meter(most === 0 ? 0 : sizeOf(sum) / most),
    `${sum.costUsd.toFixed(4)} USD${unknown(sum.unpricedCalls)}`,
    sum.calls,
    sum.failed,
    sum.inputTokens,
    sum.outputTokens,
  ]);
  const head = [group === 'day' ? 'Day' : 'Model', cost ? 'Cost' : 'Tokens', '', 'Calls', 'Failed', 'Tokens in', 'out'];
  return table(head, rows);
}

async function jobs({ schedule, home }: App): Promise<Html> {
  const ids = await schedule.jobs.ids({ finished: true });
  const time = (at: Date | undefined) => (at ? localTime(at, home.timeZone).slice(0, 16) : '');
  const jobRows: string[][] = [];
  const runRows: string[][] = [];
  for (const id of ids.slice(0, MAX_JOBS)) {
    const { job, next, history } = await schedule.jobs.show(id, RUNS_PER_JOB, 1);
    const then = job.enabled ? time(next[0]) : `paused (${job.pausedBecause ?? 'off'})`;
    jobRows.push([job.id, preview(job.prompt, TEXT_CHARS), job.description, then, job.project]);
    for (const run of history) {
      const said = preview(run.error ?? run.output ?? '', TEXT_CHARS);
      runRows.push([time(run.scheduledFor), job.id, run.state, run.delivery ?? '', said]);
    }
  }
  const newest = runRows.sort(([a = ''], [b = '']) => (a < b ? 1 : -1));
  const both = [
    table(['Job', 'Text', 'When', 'Next', 'Project'], jobRows),
    ...more(ids.length - jobRows.length, 'job'),
  ];
  return html`${[...both, table(['Run', 'Job', 'Outcome', 'Delivery', 'Said'], newest)]}`;
}

/** What a page leaves out. */
function more(count: number, noun: string): Html[] {
  return count > 0 ? [html`<p class="none">And ${counted(count, `more ${noun}`)}.</p>`] : [];
}

/** How much of each project can be searched, and which files cannot. */
async function sources({ knowledge: { projects, documents } }: App): Promise<Html> {
  const counts: (string | number | Html)[][] = [];
  const problems: string[][] = [];
  let unlisted = 0;
  for (const project of projects.list()) {
    const { files, passages, byState } = await documents.sourceCounts(project);
    const [indexed = 0] = byState;
    const covered = files === 0 ? html`` : meter(indexed / files);
    counts.push([project, covered, files, passages, ...byState]);
    const unread = await firstUnread(documents, project);
    problems.push(...unread.map(({ file, state, error }) => [project, file, state, error ?? '']));
    unlisted += files - indexed - unread.length;
  }
  const head = ['Project', 'Coverage', 'Files', 'Passages', ...SOURCE_STATES];
  const lists = [table(head, counts)];
  if (problems.length > 0) lists.push(table(['Project', 'Not searched', 'State', 'Why'], problems));
  return html`${[...lists, ...more(unlisted, 'file')]}`;
}

async function firstUnread(documents: Knowledge['documents'], project: string): Promise<readonly SourceInfo[]> {
  const states = SOURCE_STATES.filter((state) => state !== 'indexed');
  for await (const page of documents.sourcePages(project, { states })) return page.slice(0, MAX_FILES);
  return [];
}

async function approvals({ tools }: App): Promise<Html> {
  const rows = (await tools.proposals.list()).map(({ createdAt, id, state, tool, target, input, reason }) => {
    const where = target === undefined ? '' : ` to ${target}`;
    return [utc(createdAt), id, state, `${tool}${where}`, preview(JSON.stringify(input), TEXT_CHARS), reason];
  });
  return table(['Proposed', 'Id', 'State', 'Call', 'Input', 'Why asked'], rows);
}

async function effects({ store }: App): Promise<Html> {
  const receipts = (await readReceipts(store, { limit: MAX_EFFECTS })).toReversed();
  const rows = receipts.map(({ at, state, tool, destination, input, approved_by }) => {
    const where = destination ? ` to ${destination}` : '';
    return [utc(at), state, `${tool}${where}`, preview(input, TEXT_CHARS), approved_by ?? ''];
  });
  return table(['At', 'State', 'Call', 'Input', 'Approved by'], rows);
}

function utc(iso: string): string {
  return `${iso.slice(0, 16).replace('T', ' ')} UTC`;
}
