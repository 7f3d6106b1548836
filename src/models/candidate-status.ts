import type { Candidate } from './candidate.ts';
import type { Catalog } from './catalog.ts';
import type { Health } from './health.ts';
import { providerOf } from './providers/list.ts';
import type { Providers } from './providers/providers.ts';
import type { CandidateRegistry, UnusableEndpoint } from './registry.ts';
import type { CandidateStatus } from './types.ts';

export interface StatusDeps {
  readonly registry: CandidateRegistry;
  readonly catalog: Catalog;
  readonly health: Health;
  readonly providers: Providers;
}

/** The status of a candidate: a local server is asked, a remote one is judged by its recent calls. */
export async function statusOf(candidate: Candidate, { registry, providers }: StatusDeps): Promise<CandidateStatus> {
  const { provider, name, local, endpoint, health, facts } = candidate;
  const about = {
    provider,
    name,
    local,
    source: endpoint.source,
    health,
    price: facts.price,
    contextWindow: facts.contextWindow,
  };
  const missing = providers.missingPackage(provider);
  if (missing) return { ...about, state: 'missing_package', detail: `npm install ${missing}` };
  const server = local ? await registry.state(endpoint) : undefined;
  if (server?.state === 'down') return { ...about, state: 'down', detail: server.detail };
  if (health.state === 'down') return { ...about, state: 'down', detail: health.lastError ?? 'it failed recently' };
  const { inProcess = false, onMachine = inProcess } = providerOf(provider) ?? {};
  const place = inProcess ? 'in this process' : 'in a process of its own';
  const ownAddress = onMachine ? place : "at the provider's own address";
  const ready = onMachine || server !== undefined || health.state === 'ready';
  return { ...about, state: ready ? 'ready' : 'unknown', detail: endpoint.baseUrl ?? ownAddress };
}

/** The same for an endpoint without a known model or with a missing setting. */
export function statusOfUnusable(
  { endpoint, detail }: UnusableEndpoint,
  { catalog, health }: StatusDeps,
): CandidateStatus {
  const { provider, local, source } = endpoint;
  const name = endpoint.model ?? '(unknown)';
  const { price, contextWindow } = catalog.facts({ provider, name, local });
  return { provider, name, local, state: 'down', detail, source, health: health.of(''), price, contextWindow };
}
