import { isRecord } from '../../base/json.ts';
import type { ApprovalRequest } from '../../base/turn.ts';
import { lookAlikes, visibleLine } from '../../base/visible.ts';

const MAX_VALUE_CHARS = 2000;

/**
 * What a person reads before they decide: every argument on a line of its own, characters that hide or reorder others
 * written out, whatever is cut named with its length. No argument can pass for one of these lines.
 */
export function describeApproval(request: ApprovalRequest): string {
  const { tool, input, destination, reason, provenance, hash } = request;
  const fields = isRecord(input) ? Object.entries(input) : [['input', input] as const];
  const lines = [
    `Wooster wants to use ${visibleLine(tool)}:`,
    ...fields.map(([name, value]) => `  ${visibleLine(name)} = ${shown(value)}`),
    ...(destination === undefined ? [] : [`  to: ${shown(destination)}`]),
    `  why you are asked: ${reason}`,
    ...readBefore(provenance),
    ...warnings(`${JSON.stringify(input)} ${destination ?? ''}`),
    `  code: ${approvalCode(hash)}`,
  ];
  return lines.join('\n');
}

/** Six characters that tie a decision given elsewhere, by chat for example, to exactly this call. */
export function approvalCode(hash: string): string {
  return hash.slice(0, 6);
}

function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'undefined');
  const line = visibleLine(text.slice(0, MAX_VALUE_CHARS));
  return text.length > MAX_VALUE_CHARS ? `${line} … and ${text.length - MAX_VALUE_CHARS} more characters` : line;
}

function readBefore({ private: secret, untrusted, sources }: ApprovalRequest['provenance']): string[] {
  const kinds = [...(secret ? ['private text'] : []), ...(untrusted ? ['text of strangers'] : [])];
  if (kinds.length === 0) return [];
  return [`  this conversation has read ${kinds.join(' and ')}: ${sources.map(visibleLine).join(', ')}`];
}

function warnings(text: string): string[] {
  const words = lookAlikes(text);
  return words.length === 0 ? [] : [`  careful, letters of two alphabets in: ${words.map(visibleLine).join(', ')}`];
}
