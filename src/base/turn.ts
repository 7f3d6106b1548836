/** The two ways in which a model can ask for actions; everything else is shared. */
export const MODES = ['classic_tools', 'code_agent'] as const;
export type Mode = (typeof MODES)[number];

/** What `CHAT_MODE` can say. */
export const MODE_SETTINGS = [...MODES, 'auto'] as const;
export type ModeSetting = (typeof MODE_SETTINGS)[number];

/** Short forms of the names, wherever a person says a mode. */
export const MODE_SHORT: Readonly<Record<string, Mode>> = {
  code: 'code_agent',
  tools: 'classic_tools',
  classic: 'classic_tools',
};

/** The mode of a turn, according to the setting. */
export function modeOf(setting: ModeSetting): Pick<Turn, 'mode' | 'autoMode'> {
  return setting === 'auto' ? { mode: 'classic_tools', autoMode: true } : { mode: setting };
}

/** `chat`: an account of the owner's on a channel; `channel`: whoever can write there. */
export type Origin = 'repl' | 'cli' | 'schedule' | 'channel' | 'chat' | 'http' | 'editor' | 'mcp' | 'program' | 'embed';

/** A text attached to a request. */
export interface Material {
  /** A file's name, or where it came from. */
  readonly name: string;
  readonly text: string;
  /** Somebody else may have written it. */
  readonly untrusted: boolean;
  /** Whoever reads the answer knows it already; otherwise it may be for the owner alone. */
  readonly shared?: boolean | undefined;
  /** What the text was read from, for models that see. */
  readonly picture?: Picture | undefined;
}

/** A JPEG, in base64. */
export interface Picture {
  readonly jpeg: string;
}

/** One request of a user or of a scheduled job. `text` is what was asked, word for word. */
export interface Turn {
  readonly id: string;
  readonly conversationId: string;
  readonly text: string;
  readonly origin: Origin;
  readonly mode: Mode;
  /** The agent chooses the mode, by what is known about the model. */
  readonly autoMode?: boolean | undefined;
  readonly project: string;
  readonly material?: readonly Material[] | undefined;
  /** A conversation that it begins is in no list and no search, until a turn without this goes on with it. */
  readonly unlisted?: boolean | undefined;
}

/** What a model is asked: the request followed by its attachments. */
export function requestOf({ text, material = [] }: Pick<Turn, 'text' | 'material'>): string {
  return [
    text,
    ...material.map((each) => `<material name=${JSON.stringify(each.name)}>\n${each.text}\n</material>`),
  ].join('\n\n');
}

/** A request with more of them is about the texts in them. */
const MOST_PICTURES = 4;

/** What a model that sees is shown of a request. */
export function picturesOf({ material = [] }: Pick<Turn, 'material'>): readonly Picture[] {
  return material.flatMap(({ picture }) => picture ?? []).slice(0, MOST_PICTURES);
}

/** The request alone, from the result of `requestOf`. */
export function withoutMaterial(request: string): string {
  const at = request.indexOf('\n\n<material name="');
  return at < 0 ? request : request.slice(0, at);
}

/** The names of the attachments, from the result of `requestOf`. */
export function materialOf(request: string): readonly string[] {
  const rest = request.slice(withoutMaterial(request).length);
  return [...rest.matchAll(/\n\n<material name=("(?:[^"\\]|\\.)*")>\n/gu)].map(([, name = '""']) => JSON.parse(name));
}

/** What belongs to one turn and ends with it. */
export interface TurnContext {
  /** Fires when the turn is cancelled. */
  readonly signal: AbortSignal;
  now(): Date;
  /** The owner's IANA zone: every time in the turn is read and shown in it. */
  readonly timeZone: string;
  /** Report progress. Must not throw; a lost event loses nothing but a line on the screen. */
  show(event: TurnEvent): void;
  /** Ask whoever may decide. Resolves with a denial where there is nobody to ask; never rejects. */
  approve(request: ApprovalRequest): Promise<Decision>;
  /** What the person has said to the running turn since the last call; each message is returned once. */
  steering?(): readonly string[];
  /** It shows what calls change in files, so that the gate looks at them before and after. */
  readonly showsChanges?: boolean;
  /** Announces the tool that is running now to whoever waits. Must not throw. */
  doing?(tool: string): void;
  /** Ask the person something that only they know. Absent or undefined: nobody is there. Never rejects. */
  ask?(question: string): Promise<string | undefined>;
}

/** A file that a call is about. */
export interface FileLocation {
  /** Absolute. */
  readonly path: string;
}

/** What a call did to a text file; a side that is absent did not exist. Longer texts are left out whole. */
export interface FileChange extends FileLocation {
  readonly before?: string;
  readonly after?: string;
}

/** Why a turn ended; `cut_off` means that its answer is incomplete. Part of the `--json` output. */
export type StopReason = 'answered' | 'step_limit' | 'aborted' | 'failed' | 'budget' | 'cut_off';

/** Tokens and cost of one or more model calls; `costUsd` is undefined where a price is unknown. */
export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedTokens: number;
  readonly calls: number;
  readonly costUsd?: number | undefined;
}

/** The usage of no calls at all: free, at a known price. */
export const NO_USAGE: Usage = { inputTokens: 0, outputTokens: 0, cachedTokens: 0, calls: 0, costUsd: 0 };

/** Add two usages; an unknown price makes the total unknown. */
export function addUsage(a: Usage, b: Usage): Usage {
  const known = a.costUsd !== undefined && b.costUsd !== undefined;
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    cachedTokens: a.cachedTokens + b.cachedTokens,
    calls: a.calls + b.calls,
    costUsd: known ? (a.costUsd ?? 0) + (b.costUsd ?? 0) : undefined,
  };
}

/** The result of a turn. `steps` counts model calls. */
export interface Answer {
  readonly text: string;
  readonly stop: StopReason;
  readonly usage: Usage;
  readonly steps: number;
  /** For whoever sends it on; absent where nothing of others was read. */
  readonly voice?: Voice | undefined;
}

/** Who speaks in a text that goes out. */
export interface Voice {
  /** Text of others was read before, and may speak here. */
  readonly untrusted: boolean;
  /** The addresses in the text that the owner or a search named, as they stand there. */
  readonly links: readonly string[];
}

/** Somebody of whom nothing is known. */
export const STRANGER: Voice = { untrusted: true, links: [] };

/** What was read before a call, shown with the request for approval so that the user can judge it. */
export interface Provenance {
  readonly untrusted: boolean;
  readonly private: boolean;
  /** The sources behind the flags, for people, newest last: `web page https://…`, `query_rag`. */
  readonly sources: readonly string[];
}

/** A call that needs approval. `hash` binds the decision to exactly this input. */
export interface ApprovalRequest {
  readonly id: string;
  readonly tool: string;
  readonly input: unknown;
  readonly destination?: string | undefined;
  /** A diff of the file it changes, if that file controls a program: lines that begin with `-` or `+`. */
  readonly diff?: string | undefined;
  readonly reason: string;
  /** What programs obey, or what cannot be undone: only a person in front of the program decides it. */
  readonly ownerOnly?: boolean | undefined;
  readonly provenance: Provenance;
  readonly hash: string;
}

export type Verdict = 'once' | 'turn' | 'always' | 'denied';

export interface Decision {
  readonly verdict: Verdict;
  /** Who decided: `terminal`, `--yes`, `rule`, a channel user. Stored with the effect. */
  readonly by: string;
}

/**
 * The answer where no person can be asked: in a job, in the background, behind a pipe. `by` is stored in receipts and
 * printed by `--json`, so its value is fixed; people and models read it through `deciderText`.
 */
export const NOBODY_TO_ASK: Decision = { verdict: 'denied', by: 'no approver' };

/** The answer of an owner who agreed beforehand, unseen: `--yes`. */
export const AGREED_UNSEEN: Decision = { verdict: 'once', by: '--yes' };

/** The answer for a call that must not even wait for approval, since making it later would be pointless. */
export const ONLY_TRIED: Decision = { verdict: 'denied', by: 'a run that only tries things out' };

/**
 * Everything that a frontend learns about a running turn; also one line each of `--json` and of traces, so no field is
 * ever renamed or removed.
 */
export type TurnEvent =
  | { type: 'turn'; id: string; conversationId: string; mode: Mode; model: string; project: string }
  | { type: 'token'; text: string }
  | { type: 'output'; text: string }
  | { type: 'code'; attempt: number; source: string }
  | { type: 'log'; text: string }
  | { type: 'notice'; text: string }
  /** A call begins; the `tool` event of the same `callId` tells how it went. `locations`: files that it is about. */
  | { type: 'call'; callId: string; name: string; input: unknown; locations?: readonly FileLocation[] }
  | {
      type: 'tool';
      callId: string;
      name: string;
      input: unknown;
      ok: boolean;
      ms: number;
      preview: string;
      cached?: boolean;
      /** Only for a frontend whose context has `showsChanges`. */
      changes?: readonly FileChange[];
    }
  | {
      type: 'approval';
      id: string;
      /** The call that waits for it. */
      callId: string;
      tool: string;
      input: unknown;
      destination?: string | undefined;
      provenance: Provenance;
      decision?: Verdict;
      by?: string;
      /** Set when nobody could be asked: the call is pending under this id for `wooster approve`. */
      proposal?: string;
    }
  | { type: 'retry'; reason: string; waitMs: number }
  | { type: 'error'; code: string; message: string; hint: string }
  | { type: 'claim'; text: string; supported: false }
  /** `note`: what went wrong where messages were dropped or cut instead of summarized. */
  | { type: 'compaction'; round: number; before: number; after: number; messages: number; note?: string }
  | { type: 'fallback'; from: string; to: string; reason: string }
  | { type: 'usage'; model: string; inputTokens: number; outputTokens: number; costUsd?: number | undefined }
  | { type: 'answer'; text: string; stop: StopReason };
