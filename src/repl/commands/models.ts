import type { CandidateStatus } from '../../models/types.ts';
import type { Command, Output } from '../command.ts';

const MEANING: Readonly<Record<CandidateStatus['state'], string>> = {
  ready: 'ready',
  down: 'down',
  not_configured: 'not set up',
  missing_package: 'package missing',
  unknown: 'not asked yet',
};

/** `wooster models`, `/models`, `list models`, `model stats`. */
export const models: Command = {
  name: 'models',
  summary: 'List the models in the order in which they are asked, and how they do',
  usage: ['models'],
  async run({ app, out }) {
    const candidates = await app.models.candidates();
    for (const [index, candidate] of candidates.entries()) show(candidate, index, out);
    const embedding = app.models.embedding();
    const where = embedding
      ? `${embedding.name}${embedding.local ? ' (this machine)' : ''}`
      : 'built in (this machine)';
    out.line(`documents are embedded by ${where}`);
    return 0;
  },
};

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
  out.line(`   ${local ? 'on this machine' : 'elsewhere'}, ${cost}, window ${contextWindow} tokens, from ${source}`);
  if (health.calls === 0) return;
  const latency = health.latencyMs === undefined ? '' : `, median ${Math.round(health.latencyMs)} ms`;
  const last = health.lastError === undefined ? '' : `, last error: ${health.lastError}`;
  out.line(`   ${health.calls} calls, ${health.failures} failed${latency}${last}`);
}
