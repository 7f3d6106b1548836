import { counted, preview } from '../../base/text.ts';
import type { App } from '../../face/app.ts';
import type { KnownNotice } from '../../notify/types.ts';
import { overdueBefore } from '../../scheduler/overdue.ts';
import { readReceipts } from '../../tools/gate/receipts.ts';
import { localTime, sayDay } from '../../when/calendar.ts';
import { type Html, html, table } from './html.ts';

const DAYS = 7;
const DAY_MS = 86_400_000;
const TEXT_CHARS = 160;
/** The newest of each kind; the line above counts no more either. */
const MOST = 100;

type Row = readonly [at: Date, ...told: string[]];

/** What the last week was like: what was told and done, what did not arrive, what changed, and what waits now. */
export async function week(app: App, now: Date): Promise<Html> {
  const since = new Date(now.getTime() - DAYS * DAY_MS);
  const notices = (await app.schedule.notifier.notices.list()).filter(({ at }) => at >= since);
  const parts = [
    ['done', 'What arrived', notices.filter((notice) => !isMissed(notice)).map(arrived)],
    ['missed', 'What did not arrive', [...notices.filter(isMissed).map(missed), ...(await overdue(app, now))]],
    ['changed', 'What was changed', await changed(app, since)],
    ['waiting', 'What waits for you', await waiting(app)],
  ] as const;
  const sums = parts.map(([word, , { length }]) => `${length} ${word}`).join(', ');
  const lists = parts.flatMap(([, head, rows]) => (rows.length === 0 ? [] : [listOf(head, rows, app.home.timeZone)]));
  const days = `${sayDay(since, app.home.timeZone)} to ${sayDay(now, app.home.timeZone)}`;
  return html`<p>${days}: ${sums}.</p>${lists}`;
}

function listOf(head: string, rows: readonly Row[], timeZone: string): Html {
  const newest = rows.toSorted(([a], [b]) => b.getTime() - a.getTime()).slice(0, MOST);
  const cells = newest.map(([at, ...told]) => [localTime(at, timeZone).slice(0, 16), ...told]);
  return table([counted(rows.length, 'time'), head, ''], cells);
}

/** No face and no service has confirmed it. */
function isMissed({ state, deliveredAt }: KnownNotice): boolean {
  return state === 'waiting' && deliveredAt === undefined;
}

function arrived({ at, text, state, deliveredBy = '' }: KnownNotice): Row {
  return [at, preview(text, TEXT_CHARS), state === 'done' ? 'done' : deliveredBy];
}

function missed({ at, text, why = 'nobody could be told' }: KnownNotice): Row {
  return [at, preview(text, TEXT_CHARS), why];
}

/** Jobs that should have run by now. */
async function overdue({ schedule: { jobs } }: App, now: Date): Promise<Row[]> {
  const late = await jobs.named(await jobs.ids({ before: overdueBefore(now) }));
  return late
    .filter(({ enabled, next }) => enabled && next !== undefined)
    .map(({ prompt, next = now }) => [next, preview(prompt, TEXT_CHARS), 'nothing has run it yet']);
}

async function changed({ store }: App, since: Date): Promise<Row[]> {
  const receipts = await readReceipts(store, { limit: MOST });
  return receipts
    .filter(({ at, state }) => state === 'done' && new Date(at) >= since)
    .map(({ at, tool, destination, input }) => {
      return [new Date(at), `${tool}${destination ? ` to ${destination}` : ''}`, preview(input, TEXT_CHARS)];
    });
}

async function waiting({ tools }: App): Promise<Row[]> {
  return (await tools.proposals.list())
    .filter(({ state }) => state === 'waiting')
    .map(({ createdAt, id, tool, reason }) => [new Date(createdAt), `${tool}: wooster approve ${id}`, reason]);
}
