/** A request and its answer, as they were sent. */
export interface Exchange {
  readonly request: string;
  readonly answer: string;
}

/** A line as it begins in a transcript, with a role of the protocol. */
const ROLE_LINE = /^[^\w\n]*(?:user|assistant)[ \t]*:/imu;
/** Enough of an answer to know it by: clients leave out the middle of long ones. */
const KNOWN_CHARS = 80;
const REMEMBERED = 20;

/**
 * Knows requests that are about a chat and not part of one: chat pages have titles, tags and follow-up questions made
 * by the model that they talk to. Such a request quotes an exchange, or is a transcript; nobody asks for it by hand.
 */
export class RecentExchanges {
  readonly #ofDevice = new Map<string, Exchange[]>();

  add(device: string, exchange: Exchange): void {
    const kept = [...(this.#ofDevice.get(device) ?? []), exchange].slice(-REMEMBERED);
    this.#ofDevice.set(device, kept);
  }

  /** @param text of a request that stands alone: without history, and of no conversation. */
  isAboutChat(device: string, text: string): boolean {
    if (!text.includes('\n')) return false;
    return ROLE_LINE.test(text) || (this.#ofDevice.get(device) ?? []).some((exchange) => quotes(text, exchange));
  }
}

/** Both, the answer on a later line than the request. */
function quotes(text: string, { request, answer }: Exchange): boolean {
  const from = text.indexOf(request);
  if (from < 0) return false;
  const behind = text.slice(from + request.length);
  const at = behind.indexOf(answer.slice(0, KNOWN_CHARS));
  return at >= 0 && behind.slice(0, at).includes('\n');
}
