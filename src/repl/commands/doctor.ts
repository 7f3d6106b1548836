import { AssistantError, messageOf } from '../../base/errors.ts';
import { counted } from '../../base/text.ts';
import type { App, Check } from '../../face/app.ts';
import type { Status } from '../../face/status-report.ts';
import type { ReceivingChannel } from '../../notify/types.ts';
import type { Command, CommandCall, Output } from '../command.ts';
import { unknownForm } from '../own-words.ts';
import { behindText, servingText, storeLine } from '../status-checks.ts';

const MARK = { ok: 'ok  ', off: 'off ', warn: 'note', fail: 'FAIL' } as const;

/**
 * Rows: `{name, state, detail, hint?}`, state `ok`, `off` (optional, not set up), `warn` or `fail`; exit code 1 when
 * any check fails. With `--fix`, what can be fixed is fixed first, one row `{name, fixed}` or `{name, problem}` each;
 * the checks then run again.
 * `doctor status` is one row, for monitoring: `{store, runs, outbox, serving, index}`; exit code 0 whatever the numbers
 * are.
 */
export const doctor: Command = {
  name: 'doctor',
  summary: 'Check that everything works, and show its state in numbers',
  group: 'Maintenance',
  usage: [
    'doctor',
    'doctor --live    also ask each configured model for a word, and send a line on each channel',
    'doctor --fix    repair what can be repaired without a decision of yours',
    'doctor status   database, jobs, messages, workers and indexes in numbers',
  ],
  examples: ['doctor', 'doctor --fix', 'doctor status --json'],
  aliases: { status: ['status'] },
  basic: true,
  mends: true,
  flags: { fix: { type: 'boolean' }, live: { type: 'boolean' } },
  async run(call) {
    const { app, args, flags } = call;
    const [form] = args;
    if (form === 'status') return await status(call);
    if (form !== undefined) throw unknownForm(doctor, form);
    const found = await app.home.check();
    const mended = flags.fix === true && (await repaired(call, found)) ? await app.home.check() : found;
    const checks = flags.live === true ? [...mended, ...(await liveChecks(app))] : mended;
    for (const check of checks) show(call, check, flags.fix === true);
    return checks.some((check) => check.state === 'fail') ? 1 : 0;
  },
};

function show({ out }: CommandCall, { fix, ...check }: Check, tried: boolean): void {
  out.row({ ...check, ...(fix ? { fixable: true } : {}) });
  out.line(`${MARK[check.state]}  ${check.name.padEnd(12)} ${check.detail}`);
  if (check.hint !== undefined) out.line(`${' '.repeat(19)}${check.hint}`);
  if (fix && !tried) out.line(`${' '.repeat(19)}\`wooster doctor --fix\` does it.`);
}

/** A fix that fails is reported and does not keep the others from being tried. @returns whether there was any. */
async function repaired({ out }: CommandCall, checks: readonly Check[]): Promise<boolean> {
  const fixable = checks.filter(({ fix, state }) => fix && state !== 'ok');
  for (const { name, fix } of fixable) {
    try {
      const fixed = await fix?.();
      out.show({ name, fixed }, `done  ${name.padEnd(12)} ${fixed}`);
    } catch (error) {
      out.row({ name, problem: messageOf(error) });
      out.line(`FAIL  ${name.padEnd(12)} could not be repaired: ${messageOf(error)}`);
    }
  }
  if (fixable.length === 0) out.line('There is nothing to repair.');
  return fixable.length > 0;
}

async function status({ app, out }: CommandCall): Promise<number> {
  // The substitute for a damaged database would report that all is well.
  if (app.store.unkept) throw app.store.unkept.why;
  const report = await app.home.status();
  out.row(report);
  showNumbers(report, out);
  return 0;
}

function showNumbers({ store, runs, outbox, serving, index }: Status, out: Output): void {
  out.line(`store    ${storeLine(store)}`);
  out.line(`         ${store.place}`);
  out.line(`jobs     ${counted(runs.due, 'run')} due, ${runs.inProgress} in progress${since(runs.oldestDueMs)}`);
  out.line(`serving  ${servingText(serving, runs)}`);
  for (const { id, host, seenMsAgo } of runs.workers) out.line(`worker   ${id} on ${host}, seen ${ago(seenMsAgo)}`);
  out.line(`outbox   ${outbox.pending} pending, ${outbox.sending} being sent${since(outbox.oldestDueMs)}`);
  for (const { project, revision, behind } of index)
    out.line(`index    ${project}: revision ${revision}, ${behindText(behind)}`);
}

function since(oldestDueMs: number | null): string {
  return oldestDueMs === null ? '' : `; the oldest is due since ${Math.round(oldestDueMs / 1000)} s`;
}

function ago(ms: number): string {
  return `${Math.round(ms / 1000)} s ago`;
}

/** Longer than loading a model takes. */
const MODEL_MS = 60_000;

/** Ask every configured model for a word, and send a line on every configured channel: `wooster doctor --live`. */
async function liveChecks(app: Pick<App, 'models' | 'schedule' | 'knowledge'>): Promise<Check[]> {
  const checks: Check[] = [];
  for (const { provider, name, state } of await app.models.candidates()) {
    if (provider === 'builtin' || state === 'not_configured') continue;
    checks.push(await checked('live model', `${provider}:${name}`, () => askModel(app, `${provider}:${name}`)));
  }
  for (const channel of app.schedule.notifier.configured()) {
    if (channel === 'terminal') continue;
    checks.push(await checked('live channel', channel, () => sendOn(app, channel)));
  }
  for (const channel of app.schedule.notifier.receiving())
    checks.push(await checked('live channel', channel.id, () => askWho(app, channel)));
  if (checks.length === 0) checks.push({ name: 'live', state: 'off', detail: 'no model and no channel is configured' });
  return checks;
}

async function checked(name: string, what: string, check: () => Promise<string>): Promise<Check> {
  try {
    return { name, state: 'ok', detail: `${what}: ${await check()}` };
  } catch (error) {
    const hint = error instanceof AssistantError ? error.hint : undefined;
    return { name, state: 'fail', detail: `${what}: ${messageOf(error)}`, hint };
  }
}

async function askModel({ models, knowledge }: Pick<App, 'models' | 'knowledge'>, model: string): Promise<string> {
  const signal = AbortSignal.timeout(MODEL_MS);
  const started = performance.now();
  const choice = await models.pick({
    ...{ profile: 'BACKGROUND_TASK', mode: 'classic_tools', project: knowledge.projects.active(), purpose: 'turn' },
    ...{ model, maxTokens: 16, signal },
  });
  await choice.model.invoke('Answer with the word ok.', { signal });
  return `answered in ${Math.round(performance.now() - started)} ms`;
}

/** Who receives there, what the channel can do and what not, for how many accounts, and who hears what is said. */
async function askWho(
  { schedule, models }: Pick<App, 'schedule' | 'models'>,
  { id, inbound, receives }: ReceivingChannel,
): Promise<string> {
  const who = await inbound.probe(AbortSignal.timeout(MODEL_MS));
  const abilities = Object.entries(receives ?? {});
  const those = (able: boolean) => abilities.flatMap(([what, is]) => (is === able ? what : [])).join(', ') || 'nothing';
  const paired = counted(schedule.notifier.accounts.of(id).length, 'account');
  const heard = models.transcription()?.name;
  return [
    `receives as ${who}, with ${those(true)}; without ${those(false)}`,
    ...(receives?.words ? [`${paired} paired`] : []),
    ...(receives?.files ? [heard ? `voice messages are heard by ${heard}` : 'voice messages are not heard'] : []),
  ].join('; ');
}

async function sendOn({ schedule }: Pick<App, 'schedule'>, to: string): Promise<string> {
  const message = { text: 'This is a test by `wooster doctor --live`.', to };
  const { state, detail } = await schedule.notifier.send(message, AbortSignal.timeout(MODEL_MS));
  if (state !== 'sent') throw new Error(`${state}${detail ? `: ${detail}` : ''}`);
  return 'the message was sent';
}
