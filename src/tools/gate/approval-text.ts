import { isRecord } from '../../base/json.ts';
import { type ApprovalRequest, NOBODY_TO_ASK } from '../../base/turn.ts';
import { lookAlikes, punycode, visibleLine } from '../../base/visible-characters.ts';

/** What is shown of a long text: its beginning and its end, where a text that hides something has it. */
const HEAD_CHARS = 1400;
const TAIL_CHARS = 600;
const MAX_NAME_CHARS = 80;
const MAX_SOURCE_CHARS = 200;
/** Arguments from which on only the first and the last ones are shown, so that the question stays in sight. */
const MAX_FIELDS = 24;
const MAX_WARNED = 5;

/**
 * What a person reads before they decide: every argument on a line of its own, with characters that hide or reorder
 * others written out, and of a long one the beginning, the end and its length. The destination stands there as it will
 * be dialled. No argument can imitate one of these lines.
 */
export function describeApproval(request: ApprovalRequest): string {
  const { tool, input, destination, reason, provenance, hash } = request;
  const lines = [
    `Wooster wants to use ${short(tool, MAX_NAME_CHARS)}:`,
    ...fieldLines(input),
    ...(destination === undefined ? [] : placeLines(destination)),
    ...changes(request.diff),
    `  why you are asked: ${visibleLine(reason)}`,
    ...readBefore(provenance),
    ...warnings(`${JSON.stringify(input)} ${destination ?? ''}`),
    `  code: ${approvalCode(hash)}, the same wherever this call is asked about`,
  ];
  return lines.join('\n');
}

/** Six characters by which a person sees that two faces ask about exactly the same call. */
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

function fieldLines(input: unknown): string[] {
  const fields = isRecord(input) ? Object.entries(input) : [['input', input] as const];
  const lines = fields.map(([name, value]) => `  ${short(name, MAX_NAME_CHARS)} = ${shown(value)}`);
  if (lines.length <= MAX_FIELDS) return lines;
  const missing = `  … ${lines.length - MAX_FIELDS} of ${lines.length} arguments are not shown …`;
  return [...lines.slice(0, MAX_FIELDS / 2), missing, ...lines.slice(-MAX_FIELDS / 2)];
}

/** An address in its canonical form, in which no other host can hide; anybody else by their name. */
function placeLines(destination: string): string[] {
  const url = URL.parse(destination);
  if (!url || !/^https?:$/u.test(url.protocol)) return [`  to: ${shown(asciiDomain(destination))}`];
  const hasLookAlike = url.username !== '' || url.href.length > HEAD_CHARS;
  return [`  to: ${shown(url.href)}`, ...(hasLookAlike ? [`  host: ${shown(url.host)}`] : [])];
}

/** `mail:eve@pаypal.example` with its domain as the name servers know it. */
function asciiDomain(destination: string): string {
  const at = destination.lastIndexOf('@');
  const domain = at < 0 ? '' : destination.slice(at + 1);
  const ascii = /[^\p{ASCII}]/u.test(domain) ? punycode(domain) : '';
  return ascii === '' ? destination : destination.slice(0, at + 1) + ascii;
}

function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'undefined');
  if (text.length <= HEAD_CHARS + TAIL_CHARS) return visibleLine(text);
  const left = text.length - HEAD_CHARS - TAIL_CHARS;
  const gap = `… ${left} of ${text.length} characters are not shown …`;
  return `${visibleLine(text.slice(0, HEAD_CHARS))} ${gap} ${visibleLine(text.slice(-TAIL_CHARS))}`;
}

function short(text: string, chars: number): string {
  return text.length <= chars ? visibleLine(text) : `${visibleLine(text.slice(0, chars))}… (${text.length} characters)`;
}

function changes(diff: string | undefined): string[] {
  if (diff === undefined) return [];
  return ['  what changes:', ...diff.split('\n').map((line) => `    ${visibleLine(line)}`)];
}

function readBefore({ private: secret, untrusted, sources }: ApprovalRequest['provenance']): string[] {
  const kinds = [...(secret ? ['private text'] : []), ...(untrusted ? ['untrusted content'] : [])];
  if (kinds.length === 0) return [];
  const from = sources.map((source) => short(source, MAX_SOURCE_CHARS)).join(', ');
  return [`  this conversation has read ${kinds.join(' and ')}: ${from}`];
}

function warnings(text: string): string[] {
  const words = [...new Set(lookAlikes(text))];
  if (words.length === 0) return [];
  const named = words.slice(0, MAX_WARNED).map((word) => {
    const ascii = word.length > MAX_NAME_CHARS ? '' : punycode(word);
    return ascii === '' ? short(word, MAX_NAME_CHARS) : `${visibleLine(word)} (${ascii})`;
  });
  const more = words.length > MAX_WARNED ? ` and ${words.length - MAX_WARNED} more` : '';
  return [`  careful, words that mix alphabets: ${named.join(', ')}${more}`];
}
