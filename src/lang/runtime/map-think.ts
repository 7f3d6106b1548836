import { type BatchOptions, type BatchResult, batch, checkCount } from './batch.ts';
import { chunkArray } from './chunks.ts';
import type { AiHost } from './host.ts';
import { type AiOptions, think } from './think.ts';

type Volume<Item, T> = Pick<
  BatchOptions<Item, T>,
  'items' | 'maxConcurrency' | 'costBudget' | 'onError' | 'rateLimit' | 'onProgress' | 'onItemComplete'
>;

export interface MapThinkOptions<Item, T> extends Volume<Item, T>, AiOptions<T> {
  /** One prompt for all items, each of which is appended to it, or a function that makes it from the item. */
  readonly prompt?: string | undefined;
  promptTemplate?(item: Item, index: number): string;
}

/** Ask the same about every item, one call each. @throws as `batch`. */
export function mapThink<Item, T>(host: AiHost, options: MapThinkOptions<Item, T>): Promise<BatchResult<T>> {
  const { items, prompt = '', promptTemplate, ...rest } = options;
  const of = promptTemplate ?? ((item: Item) => `${prompt}\n\nItem:\n${shown(item)}`);
  return batch({
    ...rest,
    items,
    spentUsd: () => host.costs.getSummary().costUsd,
    processor: (item, index) => think<T>(host, { ...rest, prompt: of(item, index) }, 'map_think'),
  });
}

export interface ReduceThinkOptions<Item, T> extends AiOptions<T> {
  readonly items: readonly Item[];
  readonly prompt: string;
  /** How many items make a group, at least 2; 10 unless given. */
  readonly batchSize?: number | undefined;
  /** How many groups run at once; 3 unless given. */
  readonly maxConcurrency?: number | undefined;
}

const USUAL_GROUP = 10;
const USUAL_GROUPS_AT_ONCE = 3;

/** Reduce many items to one answer, group by group, until one is left. A failed group fails the whole. */
export async function reduceThink<Item, T>(host: AiHost, options: ReduceThinkOptions<Item, T>): Promise<T> {
  const { items, prompt, batchSize = USUAL_GROUP, maxConcurrency = USUAL_GROUPS_AT_ONCE, ...rest } = options;
  checkCount('batchSize', batchSize, 2);
  let level: readonly unknown[] = items;
  do {
    const { results } = await batch({
      items: chunkArray(level, batchSize),
      maxConcurrency,
      onError: 'fail_fast',
      abortSignal: rest.abortSignal,
      processor: (group) => {
        const list = group.map((item, index) => `${index + 1}. ${shown(item)}`).join('\n');
        return think<T>(host, { ...rest, prompt: `${prompt}\n\nItems:\n${list}` }, 'reduce_think');
      },
    });
    level = results;
  } while (level.length > 1);
  if (level.length === 1) return level[0] as T;
  return think<T>(host, { ...rest, prompt: `${prompt}\n\nItems:\n(none)` }, 'reduce_think');
}

function shown(item: unknown): string {
  return typeof item === 'string' ? item : (JSON.stringify(item) ?? String(item));
}
