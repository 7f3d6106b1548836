import type { StopReason, TurnEvent } from '../../base/turn.ts';

/** Something that happened on the way to an answer. */
export interface Step {
  readonly kind: 'call' | 'code' | 'said';
  readonly id: string;
  /** The tool of a call. */
  readonly name: string;
  /** What went in: arguments, or the script. */
  readonly input: string;
  /** What came out; empty until it has. */
  readonly output: string;
  /** Undefined while it runs. */
  readonly ok: boolean | undefined;
}

/** A call that waits, or waited, for a decision. */
export interface Question {
  readonly id: string;
  readonly tool: string;
  /** What it would do, as a person reads it; empty where only the list of proposals has it. */
  readonly text: string;
  readonly state: 'open' | 'proposal' | 'allowed' | 'denied';
}

/** A turn as it is shown. */
export interface ShownTurn {
  readonly id: string;
  /** What was asked. */
  readonly text: string;
  readonly running: boolean;
  readonly answer: string;
  readonly stop: StopReason | undefined;
  readonly model: string;
  readonly steps: readonly Step[];
  readonly questions: readonly Question[];
  /** What went wrong, or should be known, in words. */
  readonly notes: readonly string[];
  /** The last event that it is made of. */
  readonly last: number;
}

/** An event of a turn, from the stream or with a conversation. */
export type FoldedEvent = TurnEvent | { readonly type: 'question'; readonly id: string; readonly text: string };

export function newTurn(id: string, text: string): ShownTurn {
  const nothing = { answer: '', stop: undefined, model: '', steps: [], questions: [], notes: [], last: 0 };
  return { id, text, running: true, ...nothing };
}

type Change = Partial<ShownTurn>;
type Fold<Type extends FoldedEvent['type']> = (turn: ShownTurn, event: Extract<FoldedEvent, { type: Type }>) => Change;

const FOLDS: { readonly [Type in FoldedEvent['type']]?: Fold<Type> } = {
  turn: (_turn, { model }) => ({ model }),
  token: ({ answer }, { text }) => ({ answer: answer + text }),
  output: ({ answer }, { text }) => ({ answer: answer + text }),
  // What was said so far came before the call, and is not the answer.
  call: ({ answer, steps }, { callId, name, input }) => ({
    answer: '',
    steps: [...steps, ...said(answer, callId), callStep(callId, name, input)],
  }),
  tool: ({ steps }, event) => ({ steps: withResult(steps, event) }),
  // A script was streamed like an answer.
  code: ({ steps }, { source }) => ({ answer: '', steps: [...steps, scriptStep(`code ${steps.length}`, source)] }),
  log: ({ steps }, { text }) => ({ steps: withOutput(steps, text) }),
  notice: ({ notes }, { text }) => ({ notes: [...notes, text] }),
  claim: ({ notes }, { text }) => ({ notes: [...notes, `? ${text}`] }),
  error: ({ notes }, { message, hint }) => ({ notes: [...notes, `${message} ${hint}`.trim()] }),
  fallback: (_turn, { to }) => ({ model: to }),
  retry: () => ({ answer: '' }),
  usage: (_turn, { model }) => ({ model }),
  question: ({ questions }, { id, text }) => ({
    questions: [...questions.filter((each) => each.id !== id), { id, tool: '', text, state: 'open' }],
  }),
  approval: ({ questions }, event) => ({ questions: withDecision(questions, event) }),
  answer: (turn, { text, stop }) => ({ answer: text, stop, running: false, questions: turn.questions.map(ended) }),
};

/** The turn after an event. One that it has had already changes nothing. @param id 0 for an event without one. */
export function fold(turn: ShownTurn, event: FoldedEvent, id = 0): ShownTurn {
  if (id > 0 && id <= turn.last) return turn;
  const change = (FOLDS[event.type] as Fold<FoldedEvent['type']> | undefined)?.(turn, event as never);
  return { ...turn, ...change, last: Math.max(turn.last, id) };
}

function said(text: string, before: string): Step[] {
  if (text.trim() === '') return [];
  return [{ kind: 'said', id: `${before} said`, name: '', input: '', output: text.trim(), ok: true }];
}

function callStep(id: string, name: string, input: unknown): Step {
  return { kind: 'call', id, name, input: asText(input), output: '', ok: undefined };
}

function scriptStep(id: string, source: string): Step {
  return { kind: 'code', id, name: '', input: source, output: '', ok: true };
}

function withResult(
  steps: readonly Step[],
  { callId, name, input, ok, preview }: Extract<TurnEvent, { type: 'tool' }>,
): Step[] {
  const begun = steps.find(({ id }) => id === callId) ?? callStep(callId, name, input);
  const done = { ...begun, ok, output: preview };
  return steps.includes(begun) ? steps.map((each) => (each === begun ? done : each)) : [...steps, done];
}

/** What a script logs belongs to it. */
function withOutput(steps: readonly Step[], text: string): Step[] {
  const at = steps.findLastIndex(({ kind }) => kind === 'code');
  if (at < 0) return [...steps, ...said(text, `log ${steps.length}`)];
  return steps.map((each, index) => (index === at ? { ...each, output: `${each.output}${text}\n` } : each));
}

function withDecision(
  questions: readonly Question[],
  { id, tool, decision, proposal }: Extract<TurnEvent, { type: 'approval' }>,
): Question[] {
  if (decision === undefined) return [...questions];
  const asked = questions.find((each) => each.id === id);
  const others = questions.filter((each) => each.id !== id);
  if (proposal !== undefined) return [...others, { id: proposal, tool, text: asked?.text ?? '', state: 'proposal' }];
  if (!asked) return others;
  return [...others, { ...asked, tool, state: decision === 'denied' ? 'denied' : 'allowed' }];
}

/** A turn that is told from the store says nothing of its calls that still wait. */
export function withProposals(turn: ShownTurn, waiting: readonly Pick<Question, 'id' | 'tool'>[]): ShownTurn {
  const missing = waiting.filter(({ id }) => !turn.questions.some((each) => each.id === id));
  const asked = missing.map(({ id, tool }) => ({ id, tool, text: '', state: 'proposal' }) as const);
  return asked.length === 0 ? turn : { ...turn, questions: [...turn.questions, ...asked] };
}

/** Nothing of a turn that has ended waits but what was proposed. */
function ended(question: Question): Question {
  return question.state === 'open' ? { ...question, state: 'denied' } : question;
}

function asText(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  const fields = Object.entries(value);
  return fields.map(([name, each]) => `${name}: ${typeof each === 'string' ? each : JSON.stringify(each)}`).join('\n');
}
