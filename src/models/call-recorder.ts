import type { Log } from '../base/log.ts';
import type { Redactor } from '../base/redact.ts';
import type { Candidate } from './candidate.ts';
import { costOf } from './catalog.ts';
import type { Health } from './health.ts';
import type { CandidateRegistry } from './registry.ts';
import type { AttemptRecord, FallbackCandidate } from './resilient-model.ts';
import type { ModelRequest } from './types.ts';
import type { UsageTable } from './usage-table.ts';

/** A fallback candidate that knows which model it stands for. */
export type RoutedCandidate = FallbackCandidate & { readonly of: Candidate };

interface RecorderDeps {
  readonly health: Health;
  readonly registry: CandidateRegistry;
  readonly usage: UsageTable;
  readonly log: Log;
  readonly redactor: Redactor;
}

/** Writes down how attempts went: health of the model, usage and cost, the log. */
export class CallRecorder {
  readonly #deps: RecorderDeps;

  constructor(deps: RecorderDeps) {
    this.#deps = deps;
  }

  retrying(retry: { reason: string; waitMs: number }, request: ModelRequest): void {
    this.#deps.log.warn('model call retried', { ...retry, turn: request.turnId });
    request.onRetry?.(retry);
  }

  attempted(record: AttemptRecord<RoutedCandidate>, request: ModelRequest): void {
    this.#recordHealth(record);
    this.#recordUsage(record, request);
  }

  #recordHealth({ candidate: { of }, ms, firstTokenMs, failure }: AttemptRecord<RoutedCandidate>): void {
    const { health, registry, log, redactor } = this.#deps;
    if (!failure) {
      health.succeeded(of.label, { ms, firstTokenMs });
      return;
    }
    const reason = redactor.redact(failure.reason);
    health.failed(of.label, failure, reason);
    log.warn('model call failed', { model: of.label, kind: failure.kind, reason, ms: Math.round(ms) });
    // A server that nobody configured may simply have been closed: look for another one before the next request.
    if (of.endpoint.discovered) registry.forget();
  }

  /** A failed attempt is recorded as free: providers do not charge for errors, and report no tokens for them. */
  #recordUsage(
    { candidate: { of }, tokens, ms, failure }: AttemptRecord<RoutedCandidate>,
    request: ModelRequest,
  ): void {
    const costUsd = failure ? 0 : costOf(of.facts.price, tokens);
    const { turnId, conversationId, jobId, project, mode, purpose } = request;
    const scope = { turnId, conversationId, jobId, project, mode, purpose };
    const model = { provider: of.provider, model: of.name };
    this.#deps.usage.add({ ...scope, ...tokens, ...model, costUsd, latencyMs: ms, ok: !failure });
    if (!failure) request.onUsage?.({ ...tokens, costUsd, calls: 1, model: of.label });
  }
}
