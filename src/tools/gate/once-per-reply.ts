import { canonicalJson } from '../../base/json.ts';
import type { Tool } from '../tool.ts';

/** Said beside the result of a call that was not made again. */
const ONCE = 'Done once in this reply, and not again.';

/**
 * Runs equal effects of one reply once: a model that asks for the same reminder twice in one breath wants one. The next
 * reply may ask for it again.
 */
export class OncePerReply {
  readonly #begun = new Map<string, Promise<{ readonly ok: boolean }>>();

  /** A new reply of the model has come. */
  next(): void {
    this.#begun.clear();
  }

  /** Run this call, or give what an equal one of the reply gave. One that failed may be tried again. */
  async run<Result extends { readonly ok: boolean }>(
    tool: Tool,
    input: unknown,
    act: () => Promise<Result>,
  ): Promise<Result> {
    const key = `${tool.name} ${canonicalJson(input)}`;
    const earlier = this.#begun.get(key) as Promise<Result> | undefined;
    if (earlier) {
      const result = await earlier;
      if (result.ok) return { ...result, cached: true, ...('text' in result && besides(String(result.text))) };
    }
    const running = act();
    this.#begun.set(key, running);
    return running;
  }
}

function besides(text: string): { readonly beside: string; readonly text: string } {
  return { beside: ONCE, text: `${ONCE}\n${text}` };
}
