import type { Clock } from '../base/clock.ts';
import { AssistantError, messageOf } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import { isRecord, parseJson } from '../base/json.ts';
import type { Store } from '../store/store.ts';
import { looksLikeCron } from '../when/cron.ts';
import { understand } from '../when/understand.ts';
import { zoneData } from '../when/zone.ts';
import type { JobTable } from './job-table.ts';
import { type LegacyRow, readLegacyFile } from './legacy-file.ts';
import type { JobOptions } from './types.ts';

export interface LegacyDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly timeZone: string;
  readonly jobs: JobTable;
  readonly defaults: JobOptions;
}

/** What happened to one row. `paused`: imported, but it does not run before the user has looked at it. */
export interface LegacyJob {
  /** The row's id in the legacy database. The name is part of the `--json` output. */
  readonly earlierId: string;
  readonly what: string;
  readonly when: string;
  readonly state: 'active' | 'paused' | 'left' | 'known';
  /** Why it is paused or was not imported. */
  readonly why: string | undefined;
  readonly id: string | undefined;
}

/** What an import did, row by row. */
export interface LegacyReport {
  readonly path: string;
  readonly found: boolean;
  /** Why the file could not be read. */
  readonly problem: string | undefined;
  readonly jobs: readonly LegacyJob[];
  /** The file is unchanged since the last import. */
  readonly old: boolean;
}

const PROJECT = 'home';

/**
 * Import the schedule of a legacy Wooster (`database/scheduler.sqlite3`).
 *
 * Each row is imported only once, so a job that was removed since does not come back. It is unknown who asked for these
 * prompts, so they count as untrusted content.
 */
export async function importLegacy(deps: LegacyDeps, path: string): Promise<LegacyReport> {
  const nothing = { path, found: true, problem: undefined, jobs: [], old: false };
  const marks = new Marks(deps);
  try {
    const file = readLegacyFile(path);
    if (!file) return { ...nothing, found: false };
    const whole = `file:${file.sha256}`;
    return await deps.store.transaction(async () => {
      const old = await marks.has(whole);
      const jobs: LegacyJob[] = [];
      for (const row of file.rows) jobs.push(await takeOver(deps, marks, row));
      await marks.set(whole, null);
      return { ...nothing, problem: file.problem, jobs, old };
    });
  } catch (error) {
    // The file could not even be copied.
    return { ...nothing, problem: messageOf(error) };
  }
}

/** Which rows and files have been imported, by any program on this database. */
class Marks {
  readonly #deps: LegacyDeps;

  constructor(deps: LegacyDeps) {
    this.#deps = deps;
  }

  async has(key: string): Promise<boolean> {
    const marks = this.#deps.store.db.selectFrom('earlier_jobs').select('key').where('key', '=', key);
    return (await marks.executeTakeFirst()) !== undefined;
  }

  async set(key: string, jobId: string | null): Promise<void> {
    await this.#deps.store.db
      .insertInto('earlier_jobs')
      .values({ key, job_id: jobId, at: this.#deps.clock.now().toISOString() })
      .onConflict((conflict) => conflict.column('key').doNothing())
      .execute();
  }
}

/** Import one row, unless it has been imported or cannot be. */
async function takeOver(deps: LegacyDeps, marks: Marks, row: LegacyRow): Promise<LegacyJob> {
  const task = readTask(row);
  const about = { earlierId: row.id, what: task.what, when: row.schedule_expression };
  const left = (why: string): LegacyJob => ({ ...about, state: 'left', why, id: undefined });
  if (await marks.has(`row:${row.id}`)) return { ...about, state: 'known', why: undefined, id: undefined };
  if (task.left !== undefined) return left(task.left);
  const time = readTime(deps, row.schedule_expression);
  if (time.left !== undefined) return left(time.left);
  const id = await insert(deps, row, task, time);
  const why = [time.paused, task.paused, isActive(row) ? undefined : OFF].find((reason) => reason !== undefined);
  if (why !== undefined) await deps.jobs.update(id, { enabled: 0, paused_because: why });
  await marks.set(`row:${row.id}`, id);
  return { ...about, state: why === undefined ? 'active' : 'paused', why, id };
}

const OFF = 'it was off in the legacy Wooster';

function isActive({ is_active }: LegacyRow): boolean {
  return !/^(?:0|false)$/iu.test(String(is_active ?? 1));
}

/** A row's payload, understood. */
interface Task {
  readonly what: string;
  /** Why it cannot be imported. */
  readonly left?: string | undefined;
  readonly paused?: string | undefined;
  readonly options?: Partial<JobOptions> | undefined;
}

const SEND_SIGNAL = /^sendSignal\s+(?<input>\{.*\})\s*$/su;

/** The legacy `schedule()` tool stored every text as a Signal message, written as a tool call: `sendSignal {…}`. */
function readTask({ task_handler_type: type, payload, description, task_key }: LegacyRow): Task {
  if (type === 'DIRECT_FUNCTION')
    return {
      what: task_key ?? description ?? '?',
      left: 'a function of a plugin, which enters it by itself when it is on',
    };
  const value = parsed(payload ?? '');
  const text = typeof value === 'string' ? value.trim() : (payload ?? '');
  if (type !== 'AGENT_PROMPT') return { what: description ?? text, left: `its kind "${type}" is not known` };
  if (text === '') return { what: description ?? '?', left: 'it has no prompt' };
  const message = messageOfSignal(text);
  if (message !== undefined) return { what: message, options: { verbatim: true, to: 'signal' } };
  return typeof value === 'string' ? { what: text } : { what: text, paused: 'its prompt is not a text; check it' };
}

function messageOfSignal(text: string): string | undefined {
  const input = parsed(SEND_SIGNAL.exec(text)?.groups?.input ?? '');
  return isRecord(input) && typeof input.message === 'string' && input.message.trim() !== ''
    ? input.message
    : undefined;
}

/** Most payloads are JSON, some are plain text. */
function parsed(text: string): unknown {
  const value = parseJson(text);
  return value === undefined ? text : value;
}

/** A row's schedule, understood. */
interface Time {
  readonly kind: 'at' | 'every' | 'cron' | 'on';
  readonly expression: string;
  readonly description: string;
  readonly next: string | null;
  readonly left?: string | undefined;
  readonly paused?: string | undefined;
}

const INSTANT = /^\d{4}-\d\d-\d\d[T ][\d:.]+(?:Z|[+-]\d\d:?\d\d)$/iu;

/**
 * Read a stored time. The legacy program stored an instant or a cron expression in the machine's zone; anything else is
 * imported as paused, because it is ambiguous.
 */
function readTime({ clock, timeZone }: LegacyDeps, said: string): Time {
  const now = clock.now();
  const at = INSTANT.test(said.trim()) ? new Date(said.trim()) : undefined;
  if (at && !Number.isNaN(at.getTime()) && at <= now) {
    const description = `once at ${at.toISOString()}`;
    return { kind: 'at', expression: at.toISOString(), description, next: null, paused: 'its time was missed' };
  }
  try {
    const { kind, expression, description, next } = understand(said, { timeZone, from: now, count: 1 });
    const clear = at !== undefined || looksLikeCron(said.trim());
    const paused = clear ? undefined : `"${said}" may be read in more than one way; check its time`;
    return { kind, expression, description, next: next[0]?.toISOString() ?? null, paused };
  } catch (error) {
    if (!(error instanceof AssistantError)) throw error;
    return { kind: 'at', expression: '', description: '', next: null, left: error.message };
  }
}

async function insert(deps: LegacyDeps, row: LegacyRow, { what, options }: Task, time: Time): Promise<string> {
  const now = deps.clock.now();
  const id = newId('job', now);
  await deps.jobs.insert({
    id,
    kind: time.kind,
    expression: time.expression,
    said: row.schedule_expression,
    description: time.description,
    time_zone: deps.timeZone,
    task: 'AGENT_PROMPT',
    task_key: null,
    seeded: null,
    payload: JSON.stringify(what),
    options: JSON.stringify({ ...deps.defaults, ...options }),
    project: PROJECT,
    untrusted: 1,
    next_run_utc: time.next,
    anchor_utc: now.toISOString(),
    tz_data: zoneData(),
    idempotency_key: null,
    created_at: now.toISOString(),
  });
  return id;
}
