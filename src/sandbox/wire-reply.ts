import { messageOf } from '../base/errors.ts';
import type { BridgeReply } from './contract.ts';

/** Longest reply to one call, in characters of JSON. */
const MAX_REPLY_CHARS = 8_000_000;

/** A reply as sent; one that is too long, or not representable in JSON, becomes an error. */
export function wireReply(reply: BridgeReply): { readonly ok: boolean; readonly json: string } {
  const failed = (why: string) => ({ ok: false, json: JSON.stringify(why) });
  try {
    const json = JSON.stringify(reply.ok ? (reply.value ?? null) : reply.error) ?? 'null';
    if (json.length <= MAX_REPLY_CHARS) return { ok: reply.ok, json };
    return failed(`the result has ${json.length} characters, ${MAX_REPLY_CHARS} is the limit`);
  } catch (error) {
    return failed(`the result cannot be written as JSON: ${messageOf(error)}`);
  }
}
