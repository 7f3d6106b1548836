import { messageOf } from '../base/errors.ts';
import type { BridgeReply } from './contract.ts';

/** Longest reply to one call, in characters of JSON. */
const MAX_REPLY_CHARS = 8_000_000;

/** A reply as it is sent; one that is too long, or that JSON cannot hold, becomes an error. */
export function wireReply(reply: BridgeReply): { readonly ok: boolean; readonly json: string } {
  const failed = (why: string) => ({ ok: false, json: JSON.stringify(why) });
  try {
    const json = JSON.stringify(reply.ok ? (reply.value ?? null) : failure(reply)) ?? 'null';
    if (json.length <= MAX_REPLY_CHARS) return { ok: reply.ok, json };
    return failed(`the result has ${json.length} characters, ${MAX_REPLY_CHARS} is the limit`);
  } catch (error) {
    return failed(`the result cannot be written as JSON: ${messageOf(error)}`);
  }
}

/** As the guest reads it: the text, and where the host wants to know the failure again, with an id. */
function failure({ error, id }: BridgeReply & { readonly ok: false }): unknown {
  return id === undefined ? error : { error, id };
}
