import type { Call, ChatRequest, Reply } from '../turn/server.ts';

/**
 * A task and how a model does it in each mode. `stock` says how many of a thing are in the store, and the thing after it.
 */
export interface Task {
  readonly name: string;
  readonly calls: number;
  readonly answer: string;
  /** The model in classic mode, given how many results it has read: calls that may run at once, or the answer. */
  steps(results: readonly string[]): readonly Call[] | undefined;
  readonly script: string;
}

export const things = (count: number) => Array.from({ length: count }, (_, at) => `thing ${at + 1}`);
/** What the tool says. */
export const stockOf = (thing: string) => (Number(thing.split(' ')[1]) * 7) % 50;
export const after = (thing: string) => `thing ${Number(thing.split(' ')[1]) + 1}`;

const call = (thing: string): Call => ({ name: 'stock', input: { thing } });
const list = (count: number) => JSON.stringify(things(count));
const total = (count: number) => things(count).reduce((sum, thing) => sum + stockOf(thing), 0);

/** All calls at once, then the sum of what they said. */
function atOnce(calls: number): Task {
  return {
    ...{ name: `${calls} at once`, calls, answer: `Together ${total(calls)}.` },
    steps: (results) => (results.length === 0 ? things(calls).map(call) : undefined),
    script: `const found = await Promise.all(${list(calls)}.map((thing) => stock({ thing })));
finalAnswer(\`Together \${found.reduce((sum, { count }) => sum + count, 0)}.\`);`,
  };
}

/** Each call needs what the one before it said. */
function chain(calls: number): Task {
  return {
    ...{ name: `${calls} in a chain`, calls, answer: `Last: thing ${calls + 1}.` },
    steps: (results) => (results.length < calls ? [call(`thing ${results.length + 1}`)] : undefined),
    script: `let thing = 'thing 1';
for (let step = 0; step < ${calls}; step++) thing = (await stock({ thing })).next;
finalAnswer(\`Last: \${thing}.\`);`,
  };
}

/** Half of them at once, then the other half one by one, as what was found decides. */
function mixed(calls: number): Task {
  const half = Math.floor(calls / 2);
  return {
    ...{ name: `${calls}, half of them at once`, calls, answer: `Together ${total(calls)}.` },
    steps: (results) => {
      if (results.length === 0) return things(half).map(call);
      return results.length < calls ? [call(`thing ${results.length + 1}`)] : undefined;
    },
    script: `const first = await Promise.all(${list(half)}.map((thing) => stock({ thing })));
let { next: thing } = first.at(-1);
let sum = first.reduce((all, { count }) => all + count, 0);
for (let at = ${half}; at < ${calls}; at++) {
  const found = await stock({ thing });
  sum += found.count;
  thing = found.next;
}
finalAnswer(\`Together \${sum}.\`);`,
  };
}

/** Ten tasks of 1, 5, 20 and 50 calls. */
export const TASKS: readonly Task[] = [
  atOnce(1),
  ...[5, 20, 50].flatMap((calls) => [atOnce(calls), chain(calls), mixed(calls)]),
];

/** The model, which knows the task by its name in the request. */
export function replyTo({ messages, tools }: ChatRequest): Reply {
  const asked = JSON.stringify(messages.findLast(({ role }) => role === 'user')?.content);
  const task = TASKS.find(({ name }) => asked.includes(`Task: ${name}.`));
  if (!task) return { text: 'Which task?' };
  if (!tools?.length) return { text: `\`\`\`js\n${task.script}\n\`\`\`` };
  const results = messages.filter(({ role }) => role === 'tool').map(({ content }) => String(content));
  const calls = task.steps(results);
  return calls ? { calls } : { text: task.answer };
}
