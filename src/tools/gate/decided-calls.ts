import { canonicalJson, parseJson } from '../../base/json.ts';
import type { Proposal } from './proposals.ts';

/** What a call that waited came to: its value, or why it has none. */
export type DecidedCall = { readonly value: unknown } | { readonly error: string };

/** A call that is being run may outlast the time in which it had to be decided about. */
const RUNNING_MS = 60_000;

/** Whether a call is not decided about, or is being run. */
export function isOpen({ state }: Proposal): boolean {
  return state === 'waiting' || state === 'running';
}

/** The turn in which it is made once it is approved, so that no other call shares its idempotency keys. */
export function turnOf({ id }: Pick<Proposal, 'id'>): string {
  return `turn_${id}`;
}

/** Undefined while it is open. */
export function decidedOf({ id, tool, state, result, answer }: Proposal): DecidedCall | undefined {
  switch (state) {
    case 'waiting':
    case 'running':
      return undefined;
    case 'done':
      return { value: answer === undefined ? dataIn(result ?? '') : JSON.parse(answer) };
    case 'denied':
      return { error: `the owner has denied this call of ${tool} (${id})` };
    case 'expired':
      return { error: `nobody has decided about this call of ${tool} in time (${id})` };
    default:
      return { error: result ?? `${tool} failed` };
  }
}

/** When a run that waits for it goes on by itself. Nobody will say of a decision that came before the run had ended. */
export function waitsUntil({ state, expiresAt }: Proposal, now: Date): string {
  if (state === 'waiting') return expiresAt;
  if (state !== 'running') return now.toISOString();
  const later = new Date(now.getTime() + RUNNING_MS).toISOString();
  return expiresAt > later ? expiresAt : later;
}

/** The one of these that was this very call. */
export function sameCall(
  proposals: readonly Proposal[],
  { tool, input }: Pick<Proposal, 'tool' | 'input'>,
): Proposal | undefined {
  const wanted = canonicalJson(input);
  return proposals.find((each) => each.tool === tool && canonicalJson(each.input) === wanted);
}

/** What the gate says beside a result stands on a line in front of it. */
function dataIn(result: string): unknown {
  return parseJson(result) ?? parseJson(result.slice(result.indexOf('\n') + 1)) ?? result;
}
