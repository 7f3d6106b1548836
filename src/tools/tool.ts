import type { z } from 'zod';
import type { Told } from '../base/errors.ts';
import type { Example } from '../base/examples.ts';
import type { Log } from '../base/log.ts';
import { camelCase } from '../base/text.ts';
import type { Turn, Voice } from '../base/turn.ts';
import type { ControlChange, Stake } from './stakes.ts';

/** What a call does: nothing, something on this machine, or something beyond it. */
export type Effect = 'none' | 'local' | 'outbound';

/** What a local effect does to what exists already. `settings` and `purge`, which is for good, always need approval. */
export type Change = 'append' | 'overwrite' | 'delete' | 'schedule' | 'settings' | 'purge';

/**
 * How the ledger finds out whether a call that was cut off has acted. `transaction`: everything it does is in this
 * program's database, in one transaction with its record, so a call that was cut off has done nothing; it must be quick
 * and its result hold no more than `readsFrom` names. `version`: it saves what it is about to change as a version
 * first, and that version shows it. `outbox`: it puts messages into the outbox under its idempotency key.
 */
export type Trace = 'transaction' | 'version' | 'outbox';

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
  /**
   * Say of which stored texts the result consists, when `readsFrom` could only name more than that. The texts of
   * several calls add up; without any, the result has the labels of all that `readsFrom` names.
   */
  holds(...sources: readonly Source[]): void;
  /**
   * Say something beside the result, outside of its text: where that is from, what is missing of it. Absent where
   * nobody reads it.
   */
  beside?(note: string): void;
  /** The longest result that its reader sees whole, in characters; absent: a script, which gets all of it. */
  readonly viewChars?: number;
  /** True once the conversation has read untrusted content; whatever is made from it stays untrusted. */
  readonly untrusted: boolean;
  /** Who speaks in a text that the call sends. */
  voiceOf(text: string): Voice;
  /** Whether the owner said just these words: then they are the owner's, whatever was read. */
  isSaid(text: string): boolean;
  /** A script made the call and gets its result; absent: a model reads it. */
  readonly inScript?: boolean;
  /** When and in which turn a call was made that has waited for approval since; what it writes must not differ. */
  readonly proposed?: { readonly turnId: string; readonly at: Date };
  /** What the owner saw of the files that the call changes, and agreed to: the writer checks it under its lock. */
  readonly agreed?: readonly Stake[];
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

/** What the gate decides by. What is left out, or misspelt in plain JavaScript, takes its strictest value. */
export interface ToolPolicy<In = unknown> {
  /** `outbound` unless given. */
  readonly effect?: Effect;
  /**
   * Talks to the network; at most eight such calls are in flight per script. Without `destination`, `query` or
   * `recipient` such a call may go anywhere.
   */
  readonly network?: boolean;
  /** What a call with a local effect does to what exists; `overwrite` unless given. See `changeOf`. */
  readonly change?: Change | ((input: In, context: ToolContext) => Change | Promise<Change>);
  /**
   * For a call that changes a file which this or another program obeys: what the person approves. Undefined for every
   * other call, and where nothing would change.
   */
  control?(input: In, context: ToolContext): ControlChange | undefined | Promise<ControlChange | undefined>;
  /** The http or https URL that a call visits. Any other text counts as going anywhere. */
  destination?(input: In): string;
  /** The words that a call hands to a search service which the owner set up. */
  query?(input: In): string;
  /** Who an outbound call reaches; absent: somebody other than the owner. */
  recipient?(input: In, context: ToolContext): Recipient | Promise<Recipient>;
}

/** The web: anybody may have written it, and anybody may read it. */
export const WEB = 'web';
/** Anywhere else: anybody may have written it, and it may be for the owner alone. */
export const OUTSIDE = 'outside';

/** A text as its store hands it out, with what the store knows of its author. */
export interface StoredText {
  /** Somebody else may have written it, or it was written while others' text was being read. */
  readonly untrusted: boolean;
}

/** The content of a file as it was when it was read; without a path it was imported from another program. */
export interface FileText {
  readonly path: string | undefined;
  readonly sha256: string | undefined;
}

/**
 * Where text comes from. A name: `web`, `outside`, `file:`, `name:` (only what a file is called) or `folder:` (all
 * files in it) with an absolute path, or a name of the tool's own for what it keeps, such as `gtd:inbox`. Or the text
 * as its store handed it out. The labels are always the store's: a tool says where it looked, never whose text it is.
 */
export type Source = string | StoredText | FileText;

/** Whose text a call reads and writes. */
export interface ToolProvenance<In = unknown, Out = unknown> {
  /**
   * Where the text of a result or an error may come from, besides the call's own arguments and the words of the tool
   * itself: `[]` is nothing else. Asked before the call runs. Left out: from outside.
   */
  readonly readsFrom?:
    | readonly Source[]
    | ((input: In, context: ToolContext) => readonly Source[] | Promise<readonly Source[]>);
  /**
   * The names of what a call writes. A call that reads from the same thing, or from a file with the same content, gets
   * the labels of the conversation that wrote it. The gate asks for files before the call as well, then without an
   * output.
   */
  writesTo?(input: In, context: ToolContext, output: Out | undefined): string | readonly string[] | undefined;
  /** A call replaces the whole content of what it writes to, and with it the labels of the old content. */
  readonly replaces?: boolean;
  /** Addresses in a result that later calls may visit without approval, like those of a search. */
  found?(output: Out): readonly string[];
}

/** What remains of a call after a crash, and what can be undone. */
export interface ToolDurability {
  /** Absent: nobody can tell whether a call that was cut off has acted. */
  readonly trace?: Trace | undefined;
  /** What a call overwrites or deletes is saved as a version, so `wooster undo` can bring it back. */
  readonly versioned?: boolean | undefined;
  /**
   * A call commits a row of its own to the disk before it acts. The record of its intent is older, so it gets there
   * with that row and needs no sync of its own.
   */
  readonly writeAhead?: boolean | undefined;
}

/** When and how models are told of a tool. A call works all the same. */
export interface ToolPresentation<Out = unknown> {
  /** Whether models are told of it in this turn; absent: always. */
  readonly offer?: ((turn: Turn) => boolean | Promise<boolean>) | undefined;
  /** Models are not told of it: the prompt has what it gives, or another tool does the same. */
  readonly untold?: boolean;
  /** A result is shown whole where the model's window has room for it, however long results usually are. */
  readonly whole?: boolean;
  /** What has to exist before it is of any use. */
  readonly needs?: Needs | undefined;
  /** What people say for it, so that it can be reached without a language model. */
  readonly examples?: readonly Example[] | undefined;
  /**
   * What a call would give for a request, where that answers it: an answer that was given without any call is given
   * again with it. It only looks; the model reads the result of a call of its own.
   */
  answers?(request: string, asked: Asked): Promise<Answering | undefined>;
  /** A result holds nothing that an answer has to know: a model may say beforehand what it would say of it. */
  unremarkable?(output: Out): boolean;
  /**
   * What kind of result it is, for whoever decides by it or says it in another language; `ok` unless given. The values
   * are what the output says in words only.
   */
  told?(output: Out): Told;
}

/** Who asks, and when. */
export type Asked = Pick<ToolContext, 'turn' | 'said' | 'signal' | 'now' | 'timeZone'>;

/** A call that answers a request. */
export interface Answering {
  readonly input: unknown;
  /** Of what it gives: a model that has read one of them needs no call. */
  readonly citations: readonly string[];
}

/** What has to exist before a tool is of any use. */
export interface Needs {
  /** In the plural: `notes`. */
  readonly what: string;
  any(turn: Turn): boolean | Promise<boolean>;
}

type Field<Input extends z.ZodType> = unknown extends z.input<Input> ? string : keyof z.input<Input> & string;

/** A tool as its author writes it. All else (LangChain tool, script function, declaration, docs) is derived from it. */
export interface ToolDefinition<Input extends z.ZodType = z.ZodType, Output extends z.ZodType = z.ZodType> {
  /** `[A-Za-z0-9_.-]+`, for example `query_rag` or `artifact.store`. */
  readonly name: string;
  /** Name inside scripts; camelCase of `name` unless given. */
  readonly functionName?: string;
  /** Field names in the order in which they may be given as arguments. */
  readonly positional?: readonly Field<Input>[];
  /** Names that models invent for a field: `{ text: ['message', 'body'] }`. */
  readonly aliases?: Readonly<Record<string, readonly string[]>>;
  /** What it does, in the imperative; says what it is *not* for where models confuse tools. */
  readonly description: string;
  readonly input: Input;
  readonly output?: Output | undefined;
  readonly policy?: ToolPolicy<z.output<Input>>;
  readonly provenance?: ToolProvenance<z.output<Input>, z.output<Output>>;
  readonly durability?: ToolDurability;
  readonly presentation?: ToolPresentation<z.output<Output>>;
  /** The MCP server that the tool belongs to, by name. */
  readonly server?: string;
  /** Longest run, 60 s unless given; waiting for approval is not counted. */
  readonly timeoutMs?: number;
  execute(input: z.output<Input>, context: ToolContext): Promise<z.input<Output>> | z.input<Output>;
}

type Filled<T, Keys extends keyof T> = T & Required<Pick<T, Keys>>;

/** A definition with its types erased and its defaults filled in. The toolbox validates inputs before `execute`. */
export interface Tool extends Filled<ToolDefinition, 'functionName' | 'positional' | 'aliases' | 'timeoutMs'> {
  readonly policy: Filled<ToolPolicy, 'effect' | 'network'>;
  readonly provenance: ToolProvenance;
  readonly durability: ToolDurability;
  readonly presentation: ToolPresentation;
  /** Who brought it along: `plugin tides`. Absent: the program itself. */
  readonly origin?: string;
  execute(input: unknown, context: ToolContext): Promise<unknown>;
}

/** The same with a JSON Schema of an object in place of Zod's. */
export type SchemaToolDefinition = Omit<ToolDefinition<z.ZodType<Record<string, unknown>>>, 'input'> & {
  readonly input: Readonly<Record<string, unknown>>;
};

/** A tool whose JSON Schema is still to be read: no toolbox takes it before. */
export type UnreadTool = Omit<Tool, 'input'> & Pick<SchemaToolDefinition, 'input'>;

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
export function defineTool(given: ToolDefinition | SchemaToolDefinition): Tool | UnreadTool {
  // Only the type of the input differs, and nothing here looks at it.
  const definition = given as ToolDefinition;
  const { name, policy, provenance } = definition;
  if (!NAME.test(name)) throw new TypeError(`tool name "${name}" must match ${NAME.source}`);
  const effect = policy?.effect;
  return {
    ...definition,
    functionName: definition.functionName ?? camelCase(name),
    positional: definition.positional ?? [],
    aliases: definition.aliases ?? {},
    timeoutMs: definition.timeoutMs ?? USUAL_TIMEOUT_MS,
    policy: {
      ...policy,
      effect: effect === 'none' || effect === 'local' ? effect : 'outbound',
      network: policy?.network ?? false,
    },
    provenance: { ...provenance },
    durability: { ...definition.durability },
    presentation: { ...definition.presentation },
    execute: async (input, context) => definition.execute(input, context),
  };
}

/** What a call with a local effect does to what exists; a word that is none of `Change` counts as `overwrite`. */
export async function changeOf({ policy }: Tool, input: unknown, context: ToolContext): Promise<Change> {
  const change = typeof policy.change === 'function' ? await policy.change(input, context) : policy.change;
  return CHANGES.find((each) => each === change) ?? 'overwrite';
}
