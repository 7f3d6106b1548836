import { isRecord } from '../../base/json.ts';
import { ThinkError } from './errors.ts';

export type Context = Readonly<Record<string, unknown>>;

/** The most tokens of a context, and an estimate of characters per token. */
const MAX_TOKENS = 100_000;
const CHARS_PER_TOKEN = 4;

/** A rough estimate, like every limit of a context. */
export function estimateTokens(value: unknown): number {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return Math.ceil(text.length / CHARS_PER_TOKEN);
}

/**
 * The context without what is excluded: a key, or a path below one (`user.ssn`), wherever it occurs.
 *
 * @throws ThinkError for a path that does not exist, since a typo would send what must not be sent.
 */
export function excludeFromContext(context: Context, paths: readonly string[] = []): Context {
  return paths.reduce((rest, path) => {
    const without = removed(rest, path);
    if (without === undefined) throw new ThinkError(`The context has no ${path}, so it cannot be left out.`);
    return without;
  }, context);
}

/** Keys may be paths themselves: `with context: user.ssn` makes the key "user.ssn". Undefined: no such path. */
function removed(context: Context, path: string): Context | undefined {
  let found = false;
  const kept = Object.entries(context).flatMap(([key, value]): [string, unknown][] => {
    if (key === path || key.startsWith(`${path}.`)) {
      found = true;
      return [];
    }
    if (!path.startsWith(`${key}.`)) return [[key, value]];
    const inner = below(value, path.slice(key.length + 1));
    if (inner === undefined) return [[key, value]];
    found = true;
    return [[key, inner]];
  });
  return found ? Object.fromEntries(kept) : undefined;
}

function below(value: unknown, path: string): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => below(item, path));
    return items.some((item) => item !== undefined) ? items.map((item, index) => item ?? value[index]) : undefined;
  }
  return isRecord(value) ? removed(value, path) : undefined;
}

/** Fits the context into its limit: the largest entries are shortened, small ones stay whole. */
export function truncateContext(context: Context, maxTokens: number = MAX_TOKENS): { context: Context; cut: string[] } {
  const sizes = Object.entries(context).map(([key, value]) => ({ key, size: estimateTokens(value) }));
  let left = maxTokens;
  const allowed = new Map<string, number>();
  for (const [index, { key, size }] of sizes.toSorted((a, b) => a.size - b.size).entries()) {
    const share = Math.floor(left / (sizes.length - index));
    allowed.set(key, Math.min(size, share));
    left -= Math.min(size, share);
  }
  const cut = sizes.filter(({ key, size }) => size > (allowed.get(key) ?? 0)).map(({ key }) => key);
  const fitted = Object.entries(context).map(([key, value]) => {
    return [key, cut.includes(key) ? shortened(value, (allowed.get(key) ?? 0) * CHARS_PER_TOKEN) : value];
  });
  return { context: Object.fromEntries(fitted), cut };
}

function shortened(value: unknown, chars: number): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return `${text.slice(0, Math.max(0, chars - 20))} … (cut)`;
}
