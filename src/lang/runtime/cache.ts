import { canonicalJson, sha256 } from '../../base/json.ts';

const USUAL_TTL_MS = 3_600_000;
const MAX_ENTRIES = 1000;

/** Cached answers to identical requests: same text, context, type and model. In memory. */
export class AnswerCache {
  readonly #entries = new Map<string, { readonly value: unknown; readonly until: number }>();
  readonly #ttlMs: number;

  constructor(ttlMs: number = USUAL_TTL_MS) {
    this.#ttlMs = ttlMs;
  }

  static key(request: unknown): string {
    return sha256(canonicalJson(request));
  }

  get(key: string): { readonly value: unknown } | undefined {
    const entry = this.#entries.get(key);
    if (entry && entry.until > performance.now()) return { value: structuredClone(entry.value) };
    this.#entries.delete(key);
    return undefined;
  }

  set(key: string, value: unknown): void {
    const [oldest] = this.#entries.keys();
    if (this.#entries.size >= MAX_ENTRIES && oldest !== undefined) this.#entries.delete(oldest);
    this.#entries.set(key, { value: structuredClone(value), until: performance.now() + this.#ttlMs });
  }

  clear(): void {
    this.#entries.clear();
  }

  get size(): number {
    return this.#entries.size;
  }
}
