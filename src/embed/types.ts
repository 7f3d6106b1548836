import type { Answer, ApprovalRequest, Decision, Mode, TurnEvent, Verdict } from '../base/turn.ts';
import type { CostSummary } from '../lang/runtime/costs.ts';
import type { ModelProvider } from '../models/providers/completing.ts';
import type { ProviderFactory } from '../models/providers/provider.ts';
import type { ModelChoice } from '../models/types.ts';
import type { Plugin } from '../plugins/definition.ts';
import type { Tool, UnreadTool } from '../tools/tool.ts';

/** A model by its provider. What is left out comes from the variables, as it does for the program. */
export interface ModelSetup {
  /** `openai`, `anthropic`, `google`, `ollama`, `compatible` (a server that speaks OpenAI's protocol) or `builtin`. */
  readonly provider: string;
  /** As the provider calls it: `gpt-4o-mini`; the provider's usual one unless given. */
  readonly model?: string | undefined;
  readonly apiKey?: string | undefined;
  readonly baseUrl?: string | undefined;
}

/**
 * Answers a question that the policy raises about one tool call. `request.input` is what will run, without secrets.
 * A throw or a rejection counts as `denied`.
 */
export type Approve = (
  request: ApprovalRequest,
  options: { readonly signal: AbortSignal },
) => Verdict | Decision | Promise<Verdict | Decision>;

/** Everything is optional: by default the built-in model answers, and data goes to the usual home. */
export interface AssistantOptions {
  /** Folder of all data and of `.env`; WOOSTER_HOME, then `~/.wooster` unless given. */
  readonly home?: string;
  /** Created if it does not exist; by default the active project of the home. */
  readonly project?: string;
  readonly mode?: Mode;
  /** IANA name; the machine's zone unless given. */
  readonly timeZone?: string;
  /** `provider:model`, a provider with its key, a LangChain chat model or a provider of your own. */
  readonly model?: string | ModelSetup | ModelProvider | ModelChoice['model'];
  /** Further providers: `name:model` then works wherever a model is named. */
  readonly providers?: Readonly<Record<string, ProviderFactory>>;
  readonly tools?: readonly (Tool | UnreadTool)[];
  readonly plugins?: readonly Plugin[];
  /** Without it, everything that needs approval is denied. */
  readonly approve?: Approve;
  /** Variables to read settings from, instead of the environment of the process: `{}` for none. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Run due jobs and redeliver messages while the assistant is open. Needs `onMessage`. */
  readonly background?: boolean;
  /** Takes what the assistant says unasked: reminders, results of jobs, messages to the terminal channel. */
  readonly onMessage?: (text: string) => void;
  /** Aborting it closes the assistant. */
  readonly signal?: AbortSignal;
}

export interface AskOptions {
  /** An earlier answer's `conversationId`, or any name of your own; a new conversation unless given. */
  readonly conversationId?: string;
  /** @throws AssistantError `unknown_project` when it does not exist. */
  readonly project?: string;
  readonly mode?: Mode;
  readonly signal?: AbortSignal;
  /** Called for every event while the turn runs. What it throws is logged and changes nothing. */
  readonly onEvent?: (event: TurnEvent) => void;
}

/** The outcome of a turn, and where it can be continued. */
export interface EmbedAnswer extends Answer {
  readonly conversationId: string;
  readonly turnId: string;
}

export interface Assistant extends AsyncDisposable {
  /**
   * Take one turn. Turns of one conversation run one after the other, those of different conversations side by side.
   *
   * @returns the answer; an abort is an answer with `stop: 'aborted'`.
   * @throws AssistantError when the turn failed, with the code and the hint of the failure.
   */
  ask(text: string, options?: AskOptions): Promise<EmbedAnswer>;
  /**
   * The events of one turn as they happen; the last ones are `answer` and what is to be said about it. Nothing runs
   * before the first event is asked for, and leaving the loop cancels the turn. A failed turn ends with an `error`
   * event and an answer, not with an exception.
   *
   * @throws AssistantError when the turn cannot begin.
   */
  stream(text: string, options?: AskOptions): AsyncGenerator<TurnEvent, void, undefined>;
  /** Cancel running turns, wait until they are saved, and free all resources. May be called more than once. */
  close(): Promise<void>;
}

/** The parameters of a program by their names. Texts are read as the types of the parameters say. */
export type Arguments = Readonly<Record<string, unknown>>;

export interface RunOptions {
  /** Gets each line that the program prints, as it prints it. */
  readonly print?: (text: string) => void;
  readonly signal?: AbortSignal;
}

/** The assistant that the program runs on is opened for it, and closed behind it. */
export type RunProgramOptions = Omit<AssistantOptions, 'background' | 'onMessage'> & Pick<RunOptions, 'print'>;

/** What came of a program. */
export interface ProgramOutcome {
  /** What it returned; null: nothing. */
  readonly value: unknown;
  /** What it printed, in lines. */
  readonly printed: string;
  /** What it returned as people read it; empty for nothing. */
  readonly shown: string;
  readonly cost: CostSummary;
}

export interface ToolCallOptions {
  readonly project?: string | undefined;
  /** Calls of one conversation share what it has read: untrusted or private content counts for the next call. */
  readonly conversationId?: string | undefined;
  /** What the person asked, word for word: addresses in it may be opened without a question. */
  readonly request?: string | undefined;
  readonly approve?: Approve | undefined;
  readonly onEvent?: ((event: TurnEvent) => void) | undefined;
}
