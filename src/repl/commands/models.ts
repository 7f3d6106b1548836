import { AssistantError } from '../../base/errors.ts';
import { counted } from '../../base/text.ts';
import { type CandidateStatus, TASK_PROFILES, type TaskProfile } from '../../models/types.ts';
import type { Command, CommandCall, Output } from '../command.ts';

const MEANING: Readonly<Record<CandidateStatus['state'], string>> = {
  ready: 'ready',
  down: 'down',
  not_configured: 'not configured',
  missing_package: 'package not installed',
  unknown: 'not tried yet',
};

/** Rows: the candidates in the order in which they are tried, with state, price and health. */
export const models: Command = {
  name: 'models',
  summary: 'List the models in the order they are tried, with their health',
  group: 'Models',
  usage: ['models'],
  examples: ['models'],
  async run({ app, out }) {
    const candidates = await app.models.candidates();
    for (const [index, candidate] of candidates.entries()) show(candidate, index, out);
    const embedding = app.models.embedding();
    const where = embedding
      ? `${embedding.name}${embedding.local ? ' (this machine)' : ''}`
      : 'built in (this machine)';
    out.line(`Embeddings: ${where}`);
    return 0;
  },
};

/** One candidate in two or three lines; the line on health only when it was called. */
function show(candidate: CandidateStatus, index: number, out: Output): void {
  const { provider, name, local, state, detail, source, price, contextWindow, health } = candidate;
  out.row(candidate);
  const label = provider === name ? name : `${provider}:${name}`;
  out.line(`${index + 1}. ${label}  ${MEANING[state]}${detail === '' ? '' : ` (${detail})`}`);
  const cost =
    price === undefined
      ? 'price unknown'
      : price.input + price.output === 0
        ? 'free'
        : `${price.input}/${price.output} USD per million tokens`;
  out.line(`   ${local ? 'on this machine' : 'remote'}, ${cost}, window ${contextWindow} tokens, from ${source}`);
  if (health.calls === 0) return;
  const latency = health.latencyMs === undefined ? '' : `, median ${Math.round(health.latencyMs)} ms`;
  const last = health.lastError === undefined ? '' : `, last error: ${health.lastError}`;
  out.line(`   ${counted(health.calls, 'call')}, ${health.failures} failed${latency}${last}`);
}

/** Row: the candidate that is tried first from now on. */
export const model: Command = {
  name: 'model',
  summary: 'Show the model, or choose another until the program ends',
  group: 'Models',
  usage: ['model', 'model NAME', 'model PROVIDER:NAME', 'model auto        let the router choose again'],
  examples: ['model auto', 'model openai:gpt-5-mini'],
  only: 'slash',
  async run({ args, app, out }) {
    const [name] = args;
    if (name !== undefined) await app.models.select(/^(?:auto|router|default)$/iu.test(name) ? undefined : name);
    const [first] = await app.models.candidates();
    out.row(first ?? {});
    const label =
      first === undefined ? undefined : first.provider === first.name ? first.name : `${first.provider}:${first.name}`;
    out.line(
      label === undefined
        ? 'No model is configured.'
        : `Model ${label}${first?.state === 'down' ? `, which is down: ${first.detail}` : '.'}`,
    );
    return 0;
  },
};

/** Rows: `{profile, decision, rule}` for each kind of task; `{why}` with the reasons of one decision. */
export const routing: Command = {
  name: 'routing',
  summary: 'Show which model each kind of task gets, and why',
  group: 'Models',
  usage: ['routing', 'routing why', 'routing why TASK'],
  examples: ['routing why'],
  async run(call) {
    const [form, task] = call.args;
    if (form === undefined || form === 'status') return status(call);
    if (form !== 'why')
      throw new AssistantError('bad_usage', `Unknown subcommand "routing ${form}".`, {
        hint: 'Usage: routing, or routing why [TASK]',
      });
    const why = task === undefined ? call.app.models.why() : await reasons(call, profileOf(task));
    call.out.row({ why });
    for (const line of why) call.out.line(line);
    return 0;
  },
};

async function status(call: CommandCall): Promise<number> {
  for (const profile of TASK_PROFILES) {
    const [decision = '', rule = ''] = await reasons(call, profile);
    call.out.row({ profile, decision, rule });
    call.out.line(`${profile.padEnd(18)} ${decision}`);
  }
  return 0;
}

/** Pick a model without using it: nothing is sent anywhere. */
async function reasons({ app, session, signal }: CommandCall, profile: TaskProfile): Promise<readonly string[]> {
  const { mode, project } = session;
  try {
    return (await app.models.pick({ profile, mode, project, purpose: 'turn', signal })).why;
  } catch (error) {
    if (error instanceof AssistantError) return [`${error.message} ${error.hint}`];
    throw error;
  }
}

/** A task by its name, in any case, or by its first part: `complex` is COMPLEX_REASONING. */
function profileOf(word: string): TaskProfile {
  const wanted = word.toUpperCase().replaceAll('-', '_');
  const found = TASK_PROFILES.find((profile) => profile === wanted || profile.startsWith(`${wanted}_`));
  if (found) return found;
  throw new AssistantError('bad_usage', `There is no task "${word}".`, {
    hint: `Use one of ${TASK_PROFILES.join(', ')}.`,
  });
}
