import type { Candidate } from './candidate.ts';
import type { Catalog } from './catalog.ts';
import type { Health } from './health.ts';
import type { Providers } from './providers.ts';
import type { Roster, Silent } from './roster.ts';
import type { CandidateStatus } from './types.ts';

export interface StatusDeps {
  readonly roster: Roster;
  readonly catalog: Catalog;
  readonly health: Health;
  readonly providers: Providers;
}

/** How a candidate is now; a server on this machine is asked, one elsewhere is judged by its last calls. */
export async function statusOf(candidate: Candidate, { roster, providers }: StatusDeps): Promise<CandidateStatus> {
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
  const server = local && provider !== 'builtin' ? await roster.state(endpoint) : undefined;
  if (server?.state === 'down') return { ...about, state: 'down', detail: server.detail };
  if (health.state === 'down') return { ...about, state: 'down', detail: health.lastError ?? 'it failed lately' };
  const ready = provider === 'builtin' || server !== undefined || health.state === 'ready';
  return { ...about, state: ready ? 'ready' : 'unknown', detail: endpoint.baseUrl ?? 'in this program' };
}

/** A server whose model is not known, or a provider that lacks a setting. */
export function statusOfSilent({ endpoint, detail }: Silent, { catalog, health }: StatusDeps): CandidateStatus {
  const { provider, local, source } = endpoint;
  const name = endpoint.model ?? '(not known)';
  const { price, contextWindow } = catalog.facts({ provider, name, local });
  return { provider, name, local, state: 'down', detail, source, health: health.of(''), price, contextWindow };
}
