import { isRecord } from '../../base/json.ts';
import { defineTool, type UnreadTool } from '../../tools/tool.ts';

/** What the guest does next: run one of its tools, or continue with the result. */
export type Step =
  | { readonly task: number; readonly call: { readonly id: number; readonly name: string; readonly input: unknown } }
  | { readonly done: unknown };

/** What the program has read, which counts for its agents too. */
interface Reader {
  hasReadUntrusted(): Promise<boolean>;
}

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** A program's tools may take minutes: the tools that they call have limits of their own. */
const LIMIT_MS = 600_000;

/**
 * Lets an agent outside the sandbox use tools whose bodies are inside it. Nothing outside can call in, so the guest
 * keeps asking for the next step: a call to run, or the end.
 */
export class AgentChannel {
  readonly task: number;
  readonly #program: Reader;
  readonly #waiting = new Map<number, Waiting>();
  #calls: Step[] = [];
  #next = 1;
  #end: Promise<Step> | undefined;
  #wake: (() => void) | undefined;

  constructor(task: number, program: Reader) {
    this.task = task;
    this.#program = program;
  }

  /** The agent has ended. */
  isOver = false;

  /** @param run the agent. @returns the first step. */
  follow(run: Promise<unknown>): Promise<Step> {
    this.#end = run.then((done) => ({ done }));
    void run
      .then(
        () => undefined,
        () => undefined,
      )
      .then(() => (this.isOver = true));
    return this.#step();
  }

  /** Accept the outcome of a call. @returns the next step. */
  resume({ id, output, failure }: Readonly<Record<string, unknown>>): Promise<Step> {
    const waiting = this.#waiting.get(Number(id));
    this.#waiting.delete(Number(id));
    if (typeof failure === 'string') waiting?.reject(new Error(failure));
    else waiting?.resolve(output ?? null);
    return this.#step();
  }

  /** A tool as the agent sees it. It has no effect of its own, since what its body does goes through the gate. */
  tool(about: Readonly<Record<string, unknown>>): UnreadTool {
    const name = String(about.name);
    const tool = defineTool({
      name,
      functionName: name,
      description: String(about.description),
      input: (isRecord(about.schema) ? about.schema : {}) as Record<string, unknown>,
      policy: { effect: 'none' },
      provenance: { readsFrom: [] },
      timeoutMs: LIMIT_MS,
      execute: async (input, { holds }) => {
        try {
          return await this.#call(name, input);
        } finally {
          // Its body runs in the program, which knows what it has read.
          holds({ untrusted: await this.#program.hasReadUntrusted() });
        }
      },
    });
    return { ...tool, positional: Array.isArray(about.positional) ? about.positional.map(String) : [] };
  }

  #call(name: string, input: unknown): Promise<unknown> {
    const id = this.#next++;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    this.#waiting.set(id, { resolve, reject });
    this.#calls.push({ task: this.task, call: { id, name, input } });
    this.#wake?.();
    return promise;
  }

  async #step(): Promise<Step> {
    const waiting = this.#calls.shift();
    if (waiting) return waiting;
    const called = new Promise<undefined>((resolve) => (this.#wake = () => resolve(undefined)));
    const step = await Promise.race([called, this.#end]);
    return step ?? this.#step();
  }
}
