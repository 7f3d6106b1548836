import type { z } from 'zod';
import type { Log } from '../base/log.ts';
import { camelCase } from '../base/text.ts';
import type { Turn } from '../base/turn.ts';

export type Effect = 'none' | 'local' | 'outbound';

/** What a local effect does to what is already there; appending never asks. */
export type Change = 'append' | 'overwrite' | 'delete' | 'schedule' | 'settings';

/** Who an outbound effect reaches. `own` = a channel that the owner configured for themselves. */
export interface Recipient {
  readonly channel: string;
  readonly address: string;
  readonly own: boolean;
}

/** What a running tool may know about its call. */
export interface ToolContext {
  readonly turn: Turn;
  readonly signal: AbortSignal;
  readonly log: Log;
  /** What the person said in this conversation, oldest first, this turn's text last. */
  readonly said: readonly string[];
  /** True once the conversation has read text of strangers; things born from it stay untrusted. */
  readonly untrusted: boolean;
  /** The same for a repeated call: hand it on where the other side can use it. Absent for tools without effect. */
  readonly idempotencyKey?: string;
  now(): Date;
}

/**
 * A tool as its author writes it. Everything else (LangChain tool, script function, declaration, docs) is derived.
 * Left out, `reads`, `returns` and `effect` cannot be: a missing label would be a hole.
 */
export interface ToolDefinition<Input extends z.ZodType, Output extends z.ZodType> {
  /** `[a-z0-9_.-]+`, for example `query_rag` or `artifact.store`. */
  readonly name: string;
  /** Name inside scripts; camelCase of `name` unless given. */
  readonly functionName?: string;
  /** Field names in the order in which they may be given as arguments. */
  readonly positional?: readonly (keyof z.input<Input> & string)[];
  /** Names that models invent for a field: `{ text: ['message', 'body'] }`. */
  readonly aliases?: Readonly<Record<string, readonly string[]>>;
  /** What it does, in the imperative; says what it is *not* for where tools are easily confused. */
  readonly description: string;
  readonly input: Input;
  readonly output?: Output;
  readonly effect: Effect;
  readonly reads: 'public' | 'private';
  readonly returns: 'trusted' | 'untrusted';
  readonly timeoutMs: number;
  /** Talks to the network; at most eight such calls are in flight per script. */
  readonly network?: boolean;
  /** What a call changes. Required reading for `effect: 'local'`; left out it counts as `overwrite`. */
  readonly change?: Change | ((input: z.output<Input>, context: ToolContext) => Change | Promise<Change>);
  /** Where a call that sends nothing but still leaves the machine goes: a URL or a search query. */
  readonly destination?: (input: z.output<Input>) => string;
  /** Addresses in a result that the person may be taken to without a question, as those of a search are. */
  readonly found?: (output: z.output<Output>) => readonly string[];
  /** What a call writes, by the name that `recalls` of its reader gives: `journal:home`. Marks travel by it. */
  readonly keeps?: (input: z.output<Input>, context: ToolContext, output: z.output<Output>) => string;
  /** What a call reads that another call may have written. */
  readonly recalls?: (input: z.output<Input>, context: ToolContext) => string;
  /** Whether this result, of a tool that returns `untrusted`, is all the owner's own words. */
  readonly own?: (output: z.output<Output>) => boolean;
  /** Who an outbound call reaches. Left out, it counts as a stranger. */
  readonly recipient?: (input: z.output<Input>, context: ToolContext) => Recipient;
  execute(input: z.output<Input>, context: ToolContext): Promise<z.input<Output>> | z.input<Output>;
}

/** A tool with its types erased, as the toolbox keeps it. Inputs are validated before `execute` sees them. */
export interface Tool {
  readonly name: string;
  readonly functionName: string;
  readonly positional: readonly string[];
  readonly aliases: Readonly<Record<string, readonly string[]>>;
  readonly description: string;
  readonly input: z.ZodType;
  readonly output: z.ZodType | undefined;
  readonly effect: Effect;
  readonly reads: 'public' | 'private';
  readonly returns: 'trusted' | 'untrusted';
  readonly timeoutMs: number;
  readonly network: boolean;
  change(input: unknown, context: ToolContext): Promise<Change>;
  destination(input: unknown): string | undefined;
  found(output: unknown): readonly string[];
  own(output: unknown): boolean;
  keeps(input: unknown, context: ToolContext, output: unknown): string | undefined;
  recalls(input: unknown, context: ToolContext): string | undefined;
  recipient(input: unknown, context: ToolContext): Recipient | undefined;
  execute(input: unknown, context: ToolContext): Promise<unknown>;
}

const CHANGES: readonly Change[] = ['append', 'overwrite', 'delete', 'schedule', 'settings'];
const NAME = /^[a-z0-9_.-]+$/u;

/**
 * Describe a tool once for both modes, plugins and docs.
 *
 * @throws TypeError when the name has other characters than `a-z 0-9 _ . -`; a plugin with such a tool is skipped.
 */
export function defineTool<Input extends z.ZodType, Output extends z.ZodType>(
  definition: ToolDefinition<Input, Output>,
): Tool {
  if (!NAME.test(definition.name)) throw new TypeError(`tool name "${definition.name}" must match ${NAME.source}`);
  const { change, destination, found, keeps, own, recalls, recipient } = definition;
  // The toolbox validates against `input` first, so the erased value has the definition's type.
  const typed = (input: unknown) => input as z.output<Input>;
  const result = (output: unknown) => output as z.output<Output>;
  return {
    name: definition.name,
    functionName: definition.functionName ?? camelCase(definition.name),
    positional: definition.positional ?? [],
    aliases: definition.aliases ?? {},
    description: definition.description,
    input: definition.input,
    output: definition.output,
    // A plugin in plain JavaScript may leave a label out or misspell it: then the most careful one holds.
    effect: definition.effect === 'none' || definition.effect === 'local' ? definition.effect : 'outbound',
    reads: definition.reads === 'public' ? 'public' : 'private',
    returns: definition.returns === 'trusted' ? 'trusted' : 'untrusted',
    timeoutMs: definition.timeoutMs,
    network: definition.network ?? false,
    change: async (input, context) =>
      known(typeof change === 'function' ? await change(typed(input), context) : change),
    destination: (input) => destination?.(typed(input)),
    found: (output) => found?.(result(output)) ?? [],
    keeps: (input, context, output) => keeps?.(typed(input), context, result(output)),
    own: (output) => own?.(result(output)) ?? false,
    recalls: (input, context) => recalls?.(typed(input), context),
    recipient: (input, context) => recipient?.(typed(input), context),
    execute: async (input, context) => definition.execute(typed(input), context),
  };
}

function known(change: Change | undefined): Change {
  return CHANGES.find((each) => each === change) ?? 'overwrite';
}
