import { AssistantError } from '../../base/errors.ts';
import { counted } from '../../base/text.ts';
import type { CallRecord } from '../../models/constrained/call-records.ts';
import { type CandidateStatus, TASK_PROFILES, type TaskProfile } from '../../models/types.ts';
import type { Command, CommandCall, Output } from '../command.ts';
import { badUsage } from '../flags.ts';
import { unknownForm } from '../own-words.ts';

const MEANING: Readonly<Record<CandidateStatus['state'], string>> = {
  ready: 'ready',
  down: 'down',
  not_configured: 'not configured',
  missing_package: 'package not installed',
  unknown: 'not tried yet',
};

/**
 * Rows: the candidates in the order in which they are tried, with state, price, health and `toolCalls`; `use` gives the
 * first of
 * them, `routing` `{profile, decision, rule}` for each kind of task, `routing why` `{why}` with the reasons of one.
 */
export const models: Command = {
  name: 'models',
  summary: 'List the models with their health, choose one, show the routing',
  group: 'Models',
  usage: [
    'models [list]                       in the order in which they are tried',
    'models use                          the one that is tried first',
    'models use NAME                     or PROVIDER:NAME, until the program ends',
    'models use auto                     let the router choose again',
    'models routing                      which model each kind of task gets',
    'models routing why [TASK]           the reasons of the last choice, or of that for TASK',
    'models install [NAME]               a model that runs on this machine; it asks first',
    'models install FILE|URL [--sha256 HASH] [--licence NAME]      a GGUF file of your own; a URL needs the hash',
    'models try [NAME]                   load an installed model and let it say a word',
    'models remove NAME                  and the engine with the last one',
  ],
  examples: ['models', 'models use openai:gpt-5-mini', 'models routing why', 'models install qwen3.5-4b'],
  flags: { sha256: { type: 'string' }, licence: { type: 'string' } },
  aliases: { model: ['use'], routing: ['routing'] },
  basic: true,
  async run(call) {
    const [form = 'list', ...rest] = call.args;
    if (form === 'list') return list(call);
    if (form === 'use') return use(call, rest);
    if (form === 'routing') return routing(call, rest);
    const local = LOCAL_FORMS[form];
    if (local) return (await import('./models-local.ts'))[local](call, rest);
    throw unknownForm(models, form);
  },
};

/** What installs and removes is loaded when it is wanted. */
const LOCAL_FORMS: Readonly<Record<string, 'installModel' | 'removeModel' | 'tryModel'>> = {
  install: 'installModel',
  remove: 'removeModel',
  try: 'tryModel',
};

async function list({ app, out }: CommandCall): Promise<number> {
  const candidates = await app.models.candidates();
  const counts = await app.models.calls();
  for (const [index, candidate] of candidates.entries()) {
    const count = counts.find(({ model }) => model === labelOf(candidate));
    show(candidate, index, { out, count });
    if (count) out.line(`   ${callsText(count)}`);
  }
  const embedding = app.models.embedding();
  const where = embedding ? `${embedding.name}${embedding.local ? ' (this machine)' : ''}` : 'built in (this machine)';
  out.line(`Embeddings: ${where}`);
  return 0;
}

/** One candidate in two or three lines; the line on health only when it was called. */
function show(
  candidate: CandidateStatus,
  index: number,
  { out, count }: { readonly out: Output; readonly count: CallRecord | undefined },
): void {
  const { local, state, detail, source, price, contextWindow, health } = candidate;
  out.show(
    { ...candidate, ...(count ? { toolCalls: count } : {}) },
    `${index + 1}. ${labelOf(candidate)}  ${MEANING[state]}${detail === '' ? '' : ` (${detail})`}`,
  );
  const cost = price === undefined ? 'price unknown' : priceText(price);
  out.line(`   ${local ? 'on this machine' : 'remote'}, ${cost}, window ${contextWindow} tokens, from ${source}`);
  if (health.calls === 0) return;
  const latency = health.latencyMs === undefined ? '' : `, median ${Math.round(health.latencyMs)} ms`;
  const last = health.lastError === undefined ? '' : `, last error: ${health.lastError}`;
  out.line(`   ${counted(health.calls, 'call')}, ${health.failures} failed${latency}${last}`);
}

function callsText({ calls, clean, held, binds }: CallRecord): string {
  const schema = binds === undefined ? '' : `; its server ${binds ? 'keeps' : 'does not keep'} to a schema`;
  const without = `${clean} of ${counted(calls, 'reply', 'replies')} with tool calls without a slip`;
  return `${without}, ${held} held to a schema${schema}`;
}

function priceText({ input, output }: { readonly input: number; readonly output: number }): string {
  return input + output === 0 ? 'free' : `${input}/${output} USD per million tokens`;
}

async function use({ app, out, place }: CommandCall, [name]: readonly string[]): Promise<number> {
  if (name !== undefined && place === 'argv')
    throw new AssistantError('bad_usage', 'A model is chosen at the prompt, until the program ends.', {
      hint: 'To choose one for good, set MODEL_NAME, or run "wooster setup".',
    });
  if (name !== undefined) await app.models.select(/^(?:auto|router|default)$/iu.test(name) ? undefined : name);
  const [first] = await app.models.candidates();
  out.row(first ?? {});
  if (first === undefined) out.line('No model is configured.');
  else out.line(`Model ${labelOf(first)}${first.state === 'down' ? `, which is down: ${first.detail}` : '.'}`);
  return 0;
}

function labelOf({ provider, name }: CandidateStatus): string {
  return provider === name ? name : `${provider}:${name}`;
}

async function routing(call: CommandCall, [form = 'status', task]: readonly string[]): Promise<number> {
  if (form === 'status') return status(call);
  if (form !== 'why')
    throw new AssistantError('bad_usage', `Unknown subcommand "models routing ${form}".`, {
      hint: 'Usage: models routing, or models routing why [TASK]',
    });
  const why = task === undefined ? call.app.models.why() : await reasons(call, profileOf(task));
  call.out.row({ why });
  for (const line of why) call.out.line(line);
  return 0;
}

async function status(call: CommandCall): Promise<number> {
  for (const profile of TASK_PROFILES) {
    const [decision = '', rule = ''] = await reasons(call, profile);
    call.out.show({ profile, decision, rule }, `${profile.padEnd(18)} ${decision}`);
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
  throw badUsage(`There is no task "${word}".`, `Use one of ${TASK_PROFILES.join(', ')}.`);
}
