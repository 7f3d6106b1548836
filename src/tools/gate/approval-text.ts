import { isRecord } from '../../base/json.ts';
import { type ApprovalRequest, NOBODY_TO_ASK } from '../../base/turn.ts';
import { lookAlikes, visibleLine } from '../../base/visible-characters.ts';

const MAX_VALUE_CHARS = 2000;

/**
 * What a person reads before they decide: every argument on a line of its own, with characters that hide or reorder
 * others written out and the length of whatever was cut. No argument can imitate one of these lines.
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

/** Six characters that tie a decision given elsewhere, for example by chat, to exactly this call. */
export function approvalCode(hash: string): string {
  return hash.slice(0, 6);
}

/** Who decided, in words: the stored value for "nobody" is not meant for people. */
export function deciderText<By extends string | null>(by: By): By | 'nobody to ask' {
  return by === NOBODY_TO_ASK.by ? 'nobody to ask' : by;
}

/** Who refused a call, or that there was nobody to ask; a clause that fits behind "was not run:". */
export function refusedBy(by: string | null): string {
  return by === NOBODY_TO_ASK.by ? `there was ${deciderText(by)}` : `refused by ${by}`;
}

function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'undefined');
  const line = visibleLine(text.slice(0, MAX_VALUE_CHARS));
  return text.length > MAX_VALUE_CHARS ? `${line} … and ${text.length - MAX_VALUE_CHARS} more characters` : line;
}

function readBefore({ private: secret, untrusted, sources }: ApprovalRequest['provenance']): string[] {
  const kinds = [...(secret ? ['private text'] : []), ...(untrusted ? ['untrusted content'] : [])];
  if (kinds.length === 0) return [];
  return [`  this conversation has read ${kinds.join(' and ')}: ${sources.map(visibleLine).join(', ')}`];
}

function warnings(text: string): string[] {
  const words = lookAlikes(text);
  return words.length === 0 ? [] : [`  careful, words that mix alphabets: ${words.map(visibleLine).join(', ')}`];
}
