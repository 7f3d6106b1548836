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
  for (const { tool, input, value, ago } of newest) {
    const id = isRecord(value) && typeof value.id === 'string' ? value.id : undefined;
    const key = id ?? `${tool} ${JSON.stringify(input)}`;
    if (!things.has(key))
      things.set(key, { tool, id, ago, text: String((isRecord(value) && value.text) || input.text || '') });
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
