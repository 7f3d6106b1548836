import type { z } from 'zod';
import type { Log } from '../base/log.ts';
import { camelCase } from '../base/text.ts';
import type { Turn } from '../base/turn.ts';

/** What a call does: nothing, something on this machine, or something beyond it. */
export type Effect = 'none' | 'local' | 'outbound';

/** What a local effect does to what exists already. `settings` and `purge`, which is for good, always need approval. */
export type Change = 'append' | 'overwrite' | 'delete' | 'schedule' | 'settings' | 'purge';

/**
 * `transaction`: all that it does is in this program's database, in the transaction of its record, so a call that was
 * cut off has done nothing; it must be quick, and its result trusted. `kept`: it keeps what it changes before it does,
 * which tells afterwards. `outbox`: it puts messages into the outbox under its idempotency key.
 */
export type Trace = 'transaction' | 'kept' | 'outbox';

/** Who an outbound effect reaches. `own`: a channel that the owner set up for themselves. */
export interface Recipient {
  readonly channel: string;
  readonly address: string;
  readonly own: boolean;
  /** Not a person but a service that the owner set up, such as an MCP server. */
  readonly service?: boolean;
}

/** A tool throws it when its call may have acted and nobody knows: nothing repeats such a call by itself. */
export class OutcomeUnknown extends Error {}

/** What a running tool may know about its call. */
export interface ToolContext {
  readonly turn: Turn;
  readonly signal: AbortSignal;
  readonly log: Log;
  /** What the person said in this conversation, oldest first, this turn's text last. */
  readonly said: readonly string[];
  /** True once the conversation has read untrusted content; whatever is made from it stays untrusted. */
  readonly untrusted: boolean;
  /** A script made the call and gets its result; absent: a model reads it. */
  readonly inScript?: boolean;
  /** The owner saw what the call would change, line by line, and agreed. */
  readonly diffApproved?: boolean;
  /** Equal for a repeated call; pass it to services that can use one. Absent for tools without an effect. */
  readonly idempotencyKey?: string;
  /** Tell a person who waits how far the call is. Must not throw. */
  progress?(text: string): void;
  /** Ask the person something that only they know; absent: nobody is there. Undefined: no answer. */
  ask?(question: string): Promise<string | undefined>;
  now(): Date;
  /** The owner's IANA zone, for dates and times that a person reads. */
  readonly timeZone: string;
}

/**
 * A tool as its author writes it. Everything else (LangChain tool, script function, declaration, docs) is derived.
 * A label that is left out takes its most careful value, so that a missing one is no hole in the policy.
 */
export interface ToolDefinition<Input extends z.ZodType, Output extends z.ZodType> {
  /** `[A-Za-z0-9_.-]+`, for example `query_rag` or `artifact.store`. */
  readonly name: string;
  /** Name inside scripts; camelCase of `name` unless given. */
  readonly functionName?: string;
  /** Field names in the order in which they may be given as arguments. */
  readonly positional?: readonly (keyof z.input<Input> & string)[];
  /** Names that models invent for a field: `{ text: ['message', 'body'] }`. */
  readonly aliases?: Readonly<Record<string, readonly string[]>>;
  /** What it does, in the imperative; says what it is *not* for where models confuse tools. */
  readonly description: string;
  readonly input: Input;
  readonly output?: Output;
  /** `outbound` unless given. */
  readonly effect?: Effect;
  /** `private` unless given. */
  readonly reads?: 'public' | 'private';
  /** `untrusted` unless given. */
  readonly returns?: 'trusted' | 'untrusted';
  /** Longest run, 60 s unless given; waiting for approval is not counted. */
  readonly timeoutMs?: number;
  /**
   * Talks to the network; at most eight such calls are in flight per script. Without `destination`, `query` or
   * `recipient` such a call may go anywhere.
   */
  readonly network?: boolean;
  /** What a call of a tool with `effect: 'local'` changes; absent: `overwrite`. */
  readonly change?: Change | ((input: z.output<Input>, context: ToolContext) => Change | Promise<Change>);
  /** What it overwrites or deletes is kept, so `wooster undo` can bring it back; absent: it is gone. */
  readonly kept?: boolean;
  /**
   * For a call that changes a file which this or another program obeys: the change as lines of a diff, which the person
   * reads before they approve it. Undefined for every other call.
   */
  readonly control?: (input: z.output<Input>, context: ToolContext) => string | undefined | Promise<string | undefined>;
  /** The http or https URL that a call visits. A text that is none counts as going anywhere. */
  readonly destination?: (input: z.output<Input>) => string;
  /** The words that a call hands to a search service which the owner set up. */
  readonly query?: (input: z.output<Input>) => string;
  /** Addresses in a result that later calls may visit without approval, like those of a search. */
  readonly found?: (output: z.output<Output>) => readonly string[];
  /**
   * Names what a call writes: `gtd:inbox`, or `file:` and an absolute path. A tool that `recalls` the same name, or a
   * file with the same content, reads it with its provenance. Files are asked for before the call as well, then without
   * an output.
   */
  readonly keeps?: (
    input: z.output<Input>,
    context: ToolContext,
    output: z.output<Output> | undefined,
  ) => string | undefined;
  /** Names what a call reads that another call may have written, as that call's `keeps` does. */
  readonly recalls?: (
    input: z.output<Input>,
    context: ToolContext,
    output: z.output<Output> | undefined,
  ) => string | readonly string[] | undefined;
  /** Nothing of what a file held before is in what the call writes, so neither is its provenance. */
  readonly replaces?: boolean;
  /** Whether a result consists of the owner's own texts although the tool returns `untrusted`. */
  readonly own?: (output: z.output<Output>, input: z.output<Input>, context: ToolContext) => boolean | Promise<boolean>;
  /** A result holds nothing that an answer has to know: a model may say beforehand what it would say of it. */
  readonly unremarkable?: (output: z.output<Output>) => boolean;
  /** How it is found out whether a call that was cut off has acted; absent: nobody can tell. */
  readonly trace?: Trace;
  /** Whatever it does waits until a row about it is on the disk: the record of its intent gets there with that row. */
  readonly keepsFirst?: boolean;
  /** Who an outbound call reaches; absent: somebody other than the owner. */
  readonly recipient?: (input: z.output<Input>, context: ToolContext) => Recipient | Promise<Recipient>;
  /** The MCP server that the tool belongs to, by name. */
  readonly server?: string;
  /** Whether models are told of it in this turn; a call works all the same. Absent: always. */
  readonly offer?: (turn: Turn) => boolean | Promise<boolean>;
  execute(input: z.output<Input>, context: ToolContext): Promise<z.input<Output>> | z.input<Output>;
}

/** What has to be there before a tool is of any use. */
export interface Needs {
  /** In the plural: `notes`. */
  readonly what: string;
  any(turn: Turn): boolean | Promise<boolean>;
}

/** The same with a JSON Schema of an object in place of Zod's. */
export type SchemaToolDefinition = Omit<ToolDefinition<z.ZodType<Record<string, unknown>>, z.ZodType>, 'input'> & {
  readonly input: Readonly<Record<string, unknown>>;
};

/** A tool whose JSON Schema is still to be read: no toolbox takes it before. */
export type UnreadTool = Omit<Tool, 'input'> & Pick<SchemaToolDefinition, 'input'>;

/** A tool with its types erased, as the toolbox keeps it. The toolbox validates inputs before `execute` sees them. */
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
  readonly kept: boolean;
  readonly replaces: boolean;
  /** Who brought it along: `plugin tides`. Absent: the program itself. */
  readonly origin?: string;
  readonly trace: Trace | undefined;
  readonly keepsFirst?: boolean | undefined;
  /** The MCP server that it belongs to, by name. */
  readonly server?: string | undefined;
  change(input: unknown, context: ToolContext): Promise<Change>;
  control(input: unknown, context: ToolContext): Promise<string | undefined>;
  destination(input: unknown): string | undefined;
  query(input: unknown): string | undefined;
  found(output: unknown): readonly string[];
  own(output: unknown, input: unknown, context: ToolContext): Promise<boolean>;
  keeps(input: unknown, context: ToolContext, output: unknown): string | undefined;
  recalls(input: unknown, context: ToolContext, output: unknown): readonly string[];
  recipient(input: unknown, context: ToolContext): Promise<Recipient | undefined>;
  readonly unremarkable?: ((output: unknown) => boolean) | undefined;
  readonly offer?: ((turn: Turn) => boolean | Promise<boolean>) | undefined;
  readonly needs?: Needs | undefined;
  execute(input: unknown, context: ToolContext): Promise<unknown>;
}

const CHANGES: readonly Change[] = ['append', 'overwrite', 'delete', 'schedule', 'settings', 'purge'];
const NAME = /^[A-Za-z0-9_.-]+$/u;
const USUAL_TIMEOUT_MS = 60_000;

/**
 * Describe a tool once for both modes, plugins and docs. An input that is no schema of zod 4 stays as it is: it is read
 * where the tool is handed over.
 *
 * @throws TypeError when the name has other characters than `A-Z a-z 0-9 _ . -`; a plugin with such a tool is skipped.
 */
export function defineTool<Input extends z.ZodType, Output extends z.ZodType>(
  definition: ToolDefinition<Input, Output>,
): Tool;
export function defineTool(definition: SchemaToolDefinition): UnreadTool;
export function defineTool<Input extends z.ZodType, Output extends z.ZodType>(
  given: ToolDefinition<Input, Output> | SchemaToolDefinition,
): Tool | UnreadTool {
  const definition = given as ToolDefinition<Input, Output>;
  if (!NAME.test(definition.name)) throw new TypeError(`tool name "${definition.name}" must match ${NAME.source}`);
  const { change, control, destination, found, keeps, offer, own, query, recalls, recipient, unremarkable } =
    definition;
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
    // A label may be left out or, in plain JavaScript, misspelt; then the strictest one applies.
    effect: definition.effect === 'none' || definition.effect === 'local' ? definition.effect : 'outbound',
    reads: definition.reads === 'public' ? 'public' : 'private',
    returns: definition.returns === 'trusted' ? 'trusted' : 'untrusted',
    timeoutMs: definition.timeoutMs ?? USUAL_TIMEOUT_MS,
    network: definition.network ?? false,
    kept: definition.kept ?? false,
    replaces: definition.replaces ?? false,
    trace: definition.trace,
    keepsFirst: definition.keepsFirst,
    server: definition.server,
    change: async (input, context) =>
      known(typeof change === 'function' ? await change(typed(input), context) : change),
    control: async (input, context) => control?.(typed(input), context),
    destination: (input) => destination?.(typed(input)),
    query: (input) => query?.(typed(input)),
    found: (output) => found?.(result(output)) ?? [],
    keeps: (input, context, output) =>
      keeps?.(typed(input), context, output === undefined ? undefined : result(output)),
    own: async (output, input, context) => (await own?.(result(output), typed(input), context)) ?? false,
    recalls: (input, context, output) =>
      [recalls?.(typed(input), context, output === undefined ? undefined : result(output)) ?? []].flat(),
    recipient: async (input, context) => recipient?.(typed(input), context),
    unremarkable: unremarkable && ((output) => unremarkable(result(output))),
    offer,
    execute: async (input, context) => definition.execute(typed(input), context),
  };
}

function known(change: Change | undefined): Change {
  return CHANGES.find((each) => each === change) ?? 'overwrite';
}
