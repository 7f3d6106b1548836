import { AssistantError, messageOf } from '../base/errors.ts';
import type { App, Check } from './app.ts';

/** Longer than loading a model takes. */
const MODEL_MS = 60_000;

/** Ask every configured model for a word, and send a line on every configured channel: `wooster doctor --live`. */
export async function liveChecks(app: Pick<App, 'models' | 'schedule' | 'knowledge'>): Promise<Check[]> {
  const checks: Check[] = [];
  for (const { provider, name, state } of await app.models.candidates()) {
    if (provider === 'builtin' || state === 'not_configured') continue;
    checks.push(await checked('live model', `${provider}:${name}`, () => askModel(app, `${provider}:${name}`)));
  }
  for (const channel of app.schedule.notifier.configured()) {
    if (channel === 'terminal') continue;
    checks.push(await checked('live channel', channel, () => sendOn(app, channel)));
  }
  if (checks.length === 0) checks.push({ name: 'live', state: 'ok', detail: 'no model and no channel is configured' });
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

async function sendOn({ schedule }: Pick<App, 'schedule'>, to: string): Promise<string> {
  const message = { text: 'This is a test by `wooster doctor --live`.', to };
  const { state, detail } = await schedule.notifier.send(message, AbortSignal.timeout(MODEL_MS));
  if (state !== 'sent') throw new Error(`${state}${detail ? `: ${detail}` : ''}`);
  return 'the message was sent';
}
