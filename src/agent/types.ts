import type { BaseMessage } from '@langchain/core/messages';
import type { Log } from '../base/log.ts';
import type { Redactor } from '../base/redact.ts';
import type { Answer, Mode, Provenance, Turn, TurnContext } from '../base/turn.ts';
import type { MessageCounter } from '../conversation/tokens.ts';
import type { Compact, Conversation, Said } from '../conversation/types.ts';
import type { DoneCall, PluginOffer } from '../models/message-data.ts';
import type { ModelChoice, ModelRequest, Models, TaskProfile } from '../models/types.ts';
import type { Prepared } from '../plugins/definition.ts';
import type { ScriptExtensions } from '../sandbox/script-extensions.ts';
import type { Store } from '../store/store.ts';
import type { CutOffEffects } from '../tools/gate/cut-off-effects.ts';
import type { Proposal, Proposals } from '../tools/gate/proposals.ts';
import type { Toolbox } from '../tools/gate/toolbox.ts';
import type { CallScope } from '../tools/gate/types.ts';
import type { Tool } from '../tools/tool.ts';
import type { ModeChoice } from './mode-choice.ts';
import type { PromptParts } from './prompt.ts';

/**
 * Everything an engine gets to answer one turn. It is made for the turn and thrown away with it; nothing in it may be
 * kept for the next one.
 */
export interface EngineRun {
  /** The request, with secrets already redacted from its text. */
  readonly turn: Turn;
  /** Signal, clock, events and approvals of the turn. Events are redacted on their way out. */
  readonly context: TurnContext;
  /** The only way to act: the tools of this turn, plugins' included, behind the policy. */
  readonly toolbox: Toolbox;
  /** What the toolbox needs to know about the turn; passed along with every call. */
  readonly scope: CallScope;
  readonly models: Models;
  /** Base prompt, user prompts, project prompt, plugin context, project and date; engines append their own part. */
  readonly systemPrompt: string;
  /** The same in two parts, for engines that say last what only this turn needs. @param small a short base prompt */
  readonly promptParts: (small: boolean) => PromptParts;
  /** Counts as the tokenizer of this model does, where it is known. */
  readonly counterFor: (model: string) => Promise<MessageCounter>;
  /** What the person has told of themselves, as far as the prompt says it: the most relevant first. */
  readonly facts: readonly string[];
  /** What plugins that are off would do. */
  readonly offers: readonly PluginOffer[];
  /** What the conversation has done before this turn. */
  readonly done: readonly DoneCall[];
  /** The conversation as this turn may see and extend it. Secrets are redacted before anything is saved. */
  readonly conversation: Conversation;
  /** For what a model says: it may know a secret from elsewhere, or put one together, and is not told it again. */
  readonly redactor: Redactor;
  /** Makes messages fit the model's context window; call it before every request. */
  readonly compact: Compact;
  /**
   * Pick a model for this turn and book its usage to it.
   *
   * @throws AssistantError when no model is available or the budget is used up.
   */
  pick(profile: TaskProfile, options?: Partial<ModelRequest>): Promise<ModelChoice>;
  /** What the job that started the turn adds to it. */
  readonly job?: JobContext | undefined;
  /** The most model calls of this turn, where it is less than the mode's own limit. */
  readonly maxSteps?: number | undefined;
  /** Absent: the answer is words. */
  readonly wanted?: WantedAnswer | undefined;
  /**
   * Called with each request before it is sent, with the names of the tools that are bound to it. Set while another
   * model stands in for one that is unreachable.
   *
   * @throws AssistantError when it may not be asked this.
   */
  readonly admit?: ((messages: readonly BaseMessage[], offered: readonly string[]) => Promise<void>) | undefined;
  /** Set when the turn is taken over, after a restart or a fallback: the completed effects, worded for the model. */
  readonly alreadyDone?: string | undefined;
}

/**
 * Answers turns in one of the two modes: `classic/` lets the model call tools, `code/` lets it write scripts. Callers
 * never ask which one they have. One engine serves all turns, so it holds no state of any.
 */
export interface Engine {
  /**
   * Answer one turn.
   *
   * @returns the answer; a turn that fails or runs out of steps is an answer too.
   * @throws AssistantError of the models, and the signal's reason when `run.context.signal` is aborted.
   */
  run(run: EngineRun): Promise<Answer>;
}

interface AgentOptions {
  /** IANA name; the machine's time zone unless given. */
  readonly timeZone?: string | undefined;
  /** Overrides the context window known for the model, in tokens. */
  readonly contextWindowTokens?: number | undefined;
  /** Hosts that answers may always link to and show images from, even after untrusted content was read. */
  readonly linkHosts?: readonly string[] | undefined;
}

/** An answer that is data: how each mode is told to give it, and who reads it. */
export interface WantedAnswer {
  /** Takes the answer in classic mode. */
  readonly tool: Tool;
  /** Added to the system prompt of each mode. */
  readonly lines: Readonly<Record<Mode, string>>;
  /** The answer, once the tool has taken it: the turn ends before the model is asked again. */
  taken(): string | undefined;
  /** Read an answer in words, or the text of a script's value; a problem goes back to the model once. */
  read(text: string): Promise<{ readonly json: string } | { readonly problem: string }>;
}

/** What the caller of a turn asks for beyond the request itself. */
export interface TurnWishes {
  /** Narrows or replaces the tools that the turn would have, the classic mode's own included. */
  tools?(toolbox: Toolbox): Toolbox;
  /** The most model calls, where it is less than the mode's own limit. */
  readonly maxSteps?: number | undefined;
  /** `model` or `provider:model`, asked before any other. */
  readonly model?: string | undefined;
  /** Added to the system prompt. */
  readonly lines?: readonly string[] | undefined;
  /** An answer of a type. Absent: the answer is words. */
  readonly answer?: WantedAnswer | undefined;
  /** Answers in place of the mode's own engine. */
  readonly engine?: Engine | undefined;
  /**
   * The owner's own words, where the text of the turn is not theirs alone: a program puts what it has read into it.
   */
  readonly said?: readonly string[] | undefined;
  /** What was said before elsewhere, oldest first: the store has none of it. */
  readonly before?: readonly Said[] | undefined;
  /** What whoever asks has read: it counts as read from the start. */
  readonly read?: Provenance | undefined;
  /** The built-in assistant may not do it in the place of a model that is unreachable. */
  readonly standIn?: false | undefined;
  /** The job that the caller works for, where no job started the turn itself. */
  readonly job?: JobContext | undefined;
}

/** What a turn's own tools are made from. */
export type TurnToolsRun = Pick<EngineRun, 'turn' | 'context' | 'toolbox' | 'scope' | 'pick' | 'job'>;

/** What a scheduled job adds to its turn. */
export interface JobContext {
  /** The run that this turn belongs to; recorded with its effects. */
  readonly runId?: string | undefined;
  /** The channel that the job reports to. Sending there needs no approval. */
  readonly channel?: string | undefined;
  /** The job was created after untrusted content had been read, so its turns start out as if they had read it. */
  readonly untrusted?: boolean | undefined;
  readonly jobId?: string | undefined;
  /** The most that all runs of the job together may cost, in USD. */
  readonly budgetUsd?: number | undefined;
  /** The kind of model that its turns ask for. */
  readonly profile?: TaskProfile | undefined;
  /** For a turn that goes on: its calls that have waited for the owner, and wait no longer. */
  readonly decided?: readonly Proposal[] | undefined;
  /** A rehearsal: calls that would act are noted, not made. */
  readonly tried?: boolean | undefined;
  /** Narrows the turn's tools to those that this job may use. */
  limit?(toolbox: Toolbox): Toolbox;
}

/** What an agent is built from. All of it is shared by all turns and outlives the agent. */
export interface AgentDeps {
  readonly store: Store;
  readonly models: Models;
  /** The tools that every turn gets. */
  readonly toolbox: Toolbox;
  /** Asked at the start of each turn for context lines and further tools. */
  readonly plugins: {
    prepare(turn: Turn): Promise<Prepared>;
    /** Told of every turn that has ended; nobody waits for it. */
    observeTurn?(turn: Turn, answer: Answer): void;
  };
  readonly projects: {
    /** The text of a project's `prompt.txt`, if it has one and follows it. */
    prompt(project: string): string | undefined;
    /** Judge anew what a turn of the project obeys. @returns what to tell the owner of files that are not followed. */
    refused?(project: string): Promise<readonly string[]>;
    /** Whether a prompt file is followed, as it was judged last. */
    isObeyed?(path: string): boolean;
  };
  readonly engines: Readonly<Record<Mode, Engine>>;
  /** Folder of the prompt files; read anew each turn. */
  readonly promptsDir: string;
  /** Folder of the person's own prompt files, besides. */
  readonly ownPromptsDir?: string | undefined;
  readonly options: AgentOptions;
  /** Removes secrets from requests, events, answers and everything that is saved. */
  readonly redactor: Redactor;
  readonly log: Log;
  /** Modules and functions that scripts have, for the report of what models are sent. */
  readonly registry?: ScriptExtensions | undefined;
  /** Makes further tools for turns in classic mode: scripts as a tool. */
  readonly classicTools?: ((run: TurnToolsRun) => readonly Tool[]) | undefined;
  /** Makes tools for a turn that call the others in its scope: the owner's programs. */
  readonly turnTools?: ((run: TurnToolsRun) => Promise<readonly Tool[]>) | undefined;
  /** The calls that wait for the owner: each turn is told of them. */
  readonly proposals?: Pick<Proposals, 'list'> | undefined;
  /** Finds out what became of calls that were cut off; absent: it stays unknown. */
  readonly cutOff?: Pick<CutOffEffects, 'begun' | 'settle'> | undefined;
  /** The mode that works for the model that would be asked; absent: turns have the mode that they name. */
  readonly chooseMode?: (() => Promise<ModeChoice & { readonly model: string }>) | undefined;
  /** What a job adds to the turn; undefined for turns that no job started. */
  readonly jobContext?: ((turn: Turn) => JobContext | undefined) | undefined;
}
