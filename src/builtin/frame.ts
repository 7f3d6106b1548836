import { isRecord } from '../base/json.ts';
import type { DoneCall } from '../models/message-data.ts';
import type { RawRequest } from './request.ts';

/**
 * What "it" may mean: things that the last requests of a conversation made or changed, the newest first, each once.
 * They are read from the calls and what these gave, never from how it was told.
 */
export function thingsDone(done: readonly DoneCall[] | undefined): readonly Thing[] {
  const things = new Map<string, Thing>();
  const newest = [...(done ?? [])].reverse().sort((a, b) => a.ago - b.ago);
  for (const { tool, input, value: given, ago } of newest) {
    const value = isRecord(given) ? given : {};
    const id = typeof value.id === 'string' ? value.id : undefined;
    const key = id ?? `${tool} ${JSON.stringify(input)}`;
    const text = String(value.text || input.text || input.title || '');
    if (!things.has(key)) things.set(key, { tool, id, ago, text, at: instantOf(input, value) });
  }
  return [...things.values()];
}

export interface Thing {
  /** What made or changed it last. */
  readonly tool: string;
  readonly id: string | undefined;
  /** So many requests ago. */
  readonly ago: number;
  /** What it says. */
  readonly text: string;
  /** When it comes, if that is once. */
  readonly at: Date | undefined;
}

type Fields = Readonly<Record<string, unknown>>;

function instantOf({ when, start }: Fields, { next, description }: Fields): Date | undefined {
  const said = /^once\b/u.test(String(description)) ? next : (when ?? start);
  return /^\d{4}-\d\d-\d\dT/u.test(String(said)) ? new Date(String(said)) : undefined;
}

/** The conversation as it was when the message at this place was said. */
export function backTo(raw: RawRequest, at: number): RawRequest {
  const since = raw.earlier.slice(at).filter(({ by }) => by === 'person').length;
  const done = raw.done?.flatMap((call) => (call.ago > since ? [{ ...call, ago: call.ago - since }] : []));
  return { ...raw, text: raw.earlier[at]?.text ?? '', earlier: raw.earlier.slice(0, at), handed: undefined, done };
}

/** The job that a request of this conversation made which said such words; the newest. */
export function jobMade({ done, earlier }: Pick<RawRequest, 'done' | 'earlier'>, words: RegExp): string | undefined {
  const said = earlier.filter(({ by }) => by === 'person').map(({ text }) => text);
  return thingsDone(done).find(({ tool, id, ago }) => {
    return tool === 'schedule' && id !== undefined && words.test(said.at(-ago) ?? '');
  })?.id;
}

/** Tools that make or change a job. */
const OF_JOBS: ReadonlySet<string> = new Set(['schedule', 'reschedule', 'rename_schedule']);

/**
 * The job that "it" means: what was made or changed last, if that is one.
 *
 * @param other "the other one": the one before it.
 */
export function jobMeant(done: readonly DoneCall[] | undefined, { other = false } = {}): Thing | undefined {
  const things = thingsDone(done);
  const [first] = things;
  const jobs = things.filter(({ tool, id }) => OF_JOBS.has(tool) && id !== undefined);
  if (!first || jobs[0] !== first) return undefined;
  // "It" is none of several that one request made.
  if (!other && jobs.filter(({ ago }) => ago === first.ago).length > 1) return undefined;
  return other ? jobs[1] : first;
}
