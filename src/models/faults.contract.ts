import type { BaseMessage } from '@langchain/core/messages';
import * as fault from '../testing/fault-server.ts';
import { endMarker } from './reply.ts';

/** The inactivity timeout of the models in these cases. */
export const SILENCE_MS = 500;

/** The reply is not whole: a length limit or a broken connection ended it. */
export function isCut(message: BaseMessage): boolean {
  return /length|max_tokens|max_output|incomplete/iu.test(endMarker(message) ?? 'incomplete');
}

/** Everything that a caller could notice of one call. */
export interface Seen {
  readonly text: string;
  readonly code?: string | undefined;
  readonly message?: string | undefined;
  readonly cut: boolean;
  readonly calls: readonly string[];
  readonly waits: readonly number[];
  readonly requests: number;
}

const SLOW = fault.stream(
  [...fault.textEvents('slow but sure'), fault.delta({}, 'stop'), fault.DONE],
  'end',
  SILENCE_MS / 2,
);
export const HELLO = fault.textEvents('Hello there');
const HALF_CALL = fault.callEvents([{ name: 'write_note', args: '{"text":"hel' }]);
const WITHOUT_ROLE = fault
  .callEvents([{ name: 'write_note', args: '{"text":"hi"}' }])
  .map((event) => event.replace('"role":"assistant",', ''));
const EMPTY_CHOICES = JSON.stringify({ id: 'x', object: 'chat.completion', created: 1, model: 'm', choices: [] });
export const OVERFLOW = {
  error: { message: "This model's maximum context length is 8192 tokens", code: 'context_length_exceeded' },
};
const TEN_MB = 'x'.repeat(10 * 1024 * 1024);
const json = 'application/json';

export interface Case {
  readonly name: string;
  readonly play: readonly fault.Behaviour[];
  readonly expected: Partial<Seen> & { readonly says?: RegExp };
  /** Only for streamed, or only for whole replies. */
  readonly only?: 'streamed' | 'whole';
}

const fine = { text: 'fine', cut: false, code: undefined };
const then = (first: fault.Behaviour) => [first, fault.ok('fine')];

export const CASES: readonly Case[] = [
  {
    name: '400',
    play: [fault.status(400)],
    expected: { code: 'model_rejected', requests: 1, says: /answered 400: status 400/u },
  },
  {
    name: '401',
    play: [fault.status(401)],
    expected: { code: 'model_rejected', requests: 1, says: /answered 401.*Check the key/u },
  },
  { name: '402', play: [fault.status(402)], expected: { code: 'model_rejected', requests: 1, says: /Add credit/u } },
  {
    name: '403 with a web page',
    play: [fault.status(403, '<html><h1>Forbidden</h1></html>')],
    expected: { code: 'model_rejected', requests: 1, says: /answered 403: Forbidden/u },
  },
  {
    name: '404',
    play: [fault.status(404)],
    expected: { code: 'model_rejected', requests: 1, says: /Check the model name/u },
  },
  { name: '408, then fine', play: then(fault.status(408)), expected: { ...fine, requests: 2 } },
  { name: '409, then fine', play: then(fault.status(409)), expected: { ...fine, requests: 2 } },
  { name: '413', play: [fault.status(413)], expected: { code: 'context_overflow', requests: 1, says: /compact/u } },
  { name: '422', play: [fault.status(422)], expected: { code: 'model_rejected', requests: 1 } },
  {
    name: '429 with Retry-After',
    play: then(fault.status(429, {}, { 'retry-after': '2' })),
    expected: { ...fine, requests: 2, waits: [2000] },
  },
  {
    name: '429 with Retry-After in ms',
    play: then(fault.status(429, {}, { 'retry-after-ms': '1500' })),
    expected: { ...fine, requests: 2, waits: [1500] },
  },
  { name: '429 without Retry-After', play: then(fault.status(429)), expected: { ...fine, requests: 2, waits: [250] } },
  {
    name: '429 with a huge Retry-After',
    play: [fault.status(429, {}, { 'retry-after': '3600' })],
    expected: { code: 'model_unreachable', requests: 1, waits: [], says: /wait 3600 s/u },
  },
  {
    name: '429 for ever',
    play: [fault.status(429)],
    expected: { code: 'model_unreachable', requests: 3, waits: [250, 500], says: /asked 3 times/u },
  },
  {
    name: '429 for want of credit',
    play: [fault.status(429, { error: { message: 'spent', code: 'insufficient_quota' } })],
    expected: { code: 'model_rejected', requests: 1, says: /Add credit/u },
  },
  { name: '500, then fine', play: then(fault.status(500)), expected: { ...fine, requests: 2 } },
  { name: '500 for ever', play: [fault.status(500)], expected: { code: 'model_unreachable', requests: 3 } },
  {
    name: '502 with a web page',
    play: [fault.status(502, '<html>Bad Gateway</html>')],
    expected: { code: 'model_unreachable', requests: 3, says: /Bad Gateway/u },
  },
  {
    name: '503 with Retry-After',
    play: then(fault.status(503, {}, { 'retry-after': '1' })),
    expected: { ...fine, requests: 2, waits: [1000] },
  },
  { name: '529 overloaded, then fine', play: then(fault.status(529)), expected: { ...fine, requests: 2 } },
  { name: 'reset before headers, then fine', play: then(fault.reset), expected: { ...fine, requests: 2 } },
  {
    name: 'reset for ever',
    play: [fault.reset],
    expected: { code: 'model_unreachable', requests: 3, says: /broke off the connection/u },
  },
  { name: 'no headers, then fine', play: then(fault.hang), expected: { ...fine, requests: 2 } },
  {
    name: 'no headers for ever',
    play: [fault.hang],
    expected: { code: 'model_unreachable', requests: 2, says: /did not start to answer for 500 ms/u },
  },
  {
    name: 'stall in mid-stream after words',
    only: 'streamed',
    play: [fault.stream(HELLO, 'stall')],
    expected: { text: 'Hello there', cut: true, requests: 1 },
  },
  {
    name: 'stall in mid-stream before words, then fine',
    only: 'streamed',
    play: then(fault.stream([fault.delta({ role: 'assistant', content: '' })], 'stall')),
    expected: { ...fine, requests: 2 },
  },
  {
    name: 'stall in mid-body',
    only: 'whole',
    play: [fault.halfJson('stall')],
    expected: { code: 'model_unreachable', requests: 2, says: /fell silent/u },
  },
  {
    name: 'reset in mid-body, then fine',
    only: 'whole',
    play: then(fault.halfJson('reset')),
    expected: { ...fine, requests: 2 },
  },
  {
    name: 'reset in mid-stream after words',
    only: 'streamed',
    play: [fault.stream(HELLO, 'reset')],
    expected: { text: 'Hello there', cut: true, requests: 1 },
  },
  {
    name: 'reset in mid-stream before words, then fine',
    only: 'streamed',
    play: then(fault.stream([fault.delta({ role: 'assistant', content: '' })], 'reset')),
    expected: { ...fine, requests: 2 },
  },
  { name: 'slow drip', only: 'streamed', play: [SLOW], expected: { text: 'slow but sure', cut: false, requests: 1 } },
  {
    name: 'end of the body without a finish reason',
    only: 'streamed',
    play: [fault.stream(HELLO)],
    expected: { text: 'Hello there', cut: true, requests: 1 },
  },
  {
    name: 'DONE without a finish reason',
    only: 'streamed',
    play: [fault.stream([...HELLO, fault.DONE])],
    expected: { text: 'Hello there', cut: true, requests: 1 },
  },
  {
    name: 'cut at the length limit',
    play: [fault.ok('Hello there', { finish: 'length' })],
    expected: { text: 'Hello there', cut: true, requests: 1 },
  },
  {
    name: 'malformed JSON, then fine',
    only: 'whole',
    play: then(fault.raw('{"choices": [', json)),
    expected: { ...fine, requests: 2 },
  },
  {
    name: 'malformed JSON for ever',
    only: 'whole',
    play: [fault.raw('{"choices": [', json)],
    expected: { code: 'model_incomplete', requests: 2 },
  },
  {
    name: 'malformed event, then fine',
    only: 'streamed',
    play: then(fault.stream(['data: {"choices": [\n\n'])),
    expected: { ...fine, requests: 2 },
  },
  {
    name: 'malformed event after words',
    only: 'streamed',
    play: [fault.stream([...HELLO, 'data: {"choi\n\n'])],
    expected: { text: 'Hello there', cut: true, requests: 1 },
  },
  {
    name: 'error event, then fine',
    only: 'streamed',
    play: then(fault.stream([fault.sse({ error: { message: 'overloaded', type: 'server_error' } })])),
    expected: { ...fine, requests: 2 },
  },
  {
    name: 'error event after words',
    only: 'streamed',
    play: [fault.stream([...HELLO, fault.sse({ error: { message: 'overloaded' } })])],
    expected: { text: 'Hello there', cut: true, requests: 1 },
  },
  {
    name: 'a web page with 200',
    play: [fault.raw('<html><title>Login</title></html>', 'text/html')],
    expected: { code: 'model_unreachable', requests: 1, says: /something other than JSON.*Login.*\/v1/u },
  },
  {
    name: 'plain text with 200',
    play: [fault.raw('hello', 'text/plain')],
    expected: { code: 'model_unreachable', requests: 1 },
  },
  {
    name: 'no content type',
    play: [fault.raw('hello', undefined)],
    expected: { code: 'model_unreachable', requests: 1, says: /no content type/u },
  },
  { name: 'an empty answer, then fine', play: then(fault.ok('')), expected: { ...fine, requests: 2 } },
  {
    name: 'an empty answer for ever',
    play: [fault.ok('')],
    expected: { code: 'model_incomplete', requests: 2, says: /empty answer.*its chat template/u },
  },
  {
    name: 'an empty stream',
    only: 'streamed',
    play: [fault.stream([])],
    expected: { code: 'model_incomplete', requests: 2 },
  },
  {
    name: 'no choices',
    only: 'whole',
    play: [fault.raw(EMPTY_CHOICES, json)],
    expected: { code: 'model_incomplete', requests: 2 },
  },
  {
    name: '10 MB at once',
    only: 'whole',
    play: [fault.ok(TEN_MB)],
    expected: { code: 'model_incomplete', requests: 1, says: /longer answer than Wooster accepts/u },
  },
  {
    name: '10 MB streamed',
    only: 'streamed',
    play: [fault.stream([...HELLO, fault.delta({ content: TEN_MB })])],
    expected: { text: 'Hello there', cut: true, requests: 1 },
  },
  {
    name: 'context overflow as 400',
    play: [fault.status(400, OVERFLOW)],
    expected: { code: 'context_overflow', requests: 1 },
  },
  {
    name: 'context overflow in the words of llama.cpp',
    play: [fault.status(400, { error: { message: 'the request exceeds the available context size' } })],
    expected: { code: 'context_overflow', requests: 1 },
  },
  {
    name: 'a secret in an error',
    play: [fault.status(400, { error: { message: 'bad key hunter2-secret' } })],
    expected: { code: 'model_rejected', says: /bad key \[secret\]/u },
  },
];

/** Only where tools are offered. */
export const TOOL_CASES: readonly Case[] = [
  {
    name: 'a whole call',
    play: [fault.ok('', { calls: [{ name: 'write_note', args: '{"text":"hi"}' }] })],
    expected: { calls: ['write_note'], cut: false, requests: 1 },
  },
  {
    name: 'a call in pieces that say no role',
    only: 'streamed',
    play: [fault.stream([...WITHOUT_ROLE, fault.delta({}, 'tool_calls'), fault.DONE])],
    expected: { calls: ['write_note'], cut: false, requests: 1 },
  },
  {
    name: 'a call cut by the length limit is marked',
    play: [fault.ok('', { finish: 'length', calls: [{ name: 'write_note', args: '{"text":"h' }] })],
    expected: { cut: true, requests: 1 },
  },
  {
    name: 'a call cut by the end of the body, then whole',
    only: 'streamed',
    play: [fault.stream(HALF_CALL), fault.ok('', { calls: [{ name: 'write_note', args: '{"text":"hi"}' }] })],
    expected: { calls: ['write_note'], cut: false, requests: 2 },
  },
  {
    name: 'a call cut by the end of the body for ever',
    only: 'streamed',
    play: [fault.stream(HALF_CALL)],
    expected: { code: 'model_incomplete', calls: [], requests: 2, says: /broke off/u },
  },
  {
    name: 'a call cut by DONE',
    only: 'streamed',
    play: then(fault.stream([...HALF_CALL, fault.DONE])),
    expected: { ...fine, requests: 2 },
  },
  {
    name: 'a call cut by a reset',
    only: 'streamed',
    play: then(fault.stream(HALF_CALL, 'reset')),
    expected: { ...fine, requests: 2 },
  },
  {
    name: 'a call cut by silence',
    only: 'streamed',
    play: then(fault.stream(HALF_CALL, 'stall')),
    expected: { ...fine, requests: 2 },
  },
  {
    name: 'words, then a cut call: the words stay, the call is marked',
    only: 'streamed',
    play: [fault.stream([...HELLO, ...HALF_CALL])],
    expected: { text: 'Hello there', cut: true, requests: 1 },
  },
  {
    name: 'words, then a reset inside a call: no call',
    only: 'streamed',
    play: [fault.stream([...HELLO, ...HALF_CALL], 'reset')],
    expected: { text: 'Hello there', cut: true, calls: [], requests: 1 },
  },
  {
    name: 'an unknown tool is passed on for the gate to refuse',
    play: [fault.ok('', { calls: [{ name: 'fly', args: '{}' }] })],
    expected: { calls: ['fly'], cut: false, requests: 1 },
  },
  {
    name: 'arguments of the wrong type are passed on for the gate to refuse',
    play: [fault.ok('', { calls: [{ name: 'write_note', args: '{"text":7}' }] })],
    expected: { calls: ['write_note'], cut: false, requests: 1 },
  },
];
