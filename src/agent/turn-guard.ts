import { plainLinks } from '../base/plain-links.ts';
import type { Redactor } from '../base/redact.ts';
import { RedactingStream } from '../base/redact-stream.ts';
import type { Answer, Turn, TurnContext, TurnEvent } from '../base/turn.ts';
import { unsupportedClaims } from '../tools/gate/claim-check.ts';
import { isDerived } from '../tools/gate/destinations.ts';
import type { CallScope } from '../tools/gate/toolbox.ts';

export interface TurnGuardDeps {
  readonly redactor: Redactor;
  /** Hosts that answers may link to and show images from, whatever was read. */
  readonly linkHosts: readonly string[];
}

/** Events that come after a reply's last word; the others may come in its middle. */
const ENDS_WORDS: ReadonlySet<TurnEvent['type']> = new Set(['answer', 'tool', 'approval', 'code', 'output', 'error']);

/** What stands between one turn and everything outside of it: no secret in or out, no live link, a way to end it. */
export class TurnGuard {
  readonly turn: Turn;
  readonly context: TurnContext;
  readonly #deps: TurnGuardDeps;
  readonly #outer: TurnContext;
  readonly #halted = new AbortController();
  readonly #tokens: RedactingStream;
  #scope: CallScope | undefined;
  #haltReason = '';

  constructor(turn: Turn, context: TurnContext, deps: TurnGuardDeps) {
    this.#deps = deps;
    this.#outer = context;
    this.#tokens = new RedactingStream(deps.redactor);
    this.turn = { ...turn, text: deps.redactor.redact(turn.text) };
    this.context = {
      signal: AbortSignal.any([context.signal, this.#halted.signal]),
      now: () => context.now(),
      show: (event) => this.#show(event),
      approve: (request) => context.approve(request),
    };
  }

  /** The turn gets nowhere: it ends as one that ran out of steps, with the reason as its answer. */
  readonly halt = (reason: string): void => {
    this.#haltReason ||= reason;
    this.#halted.abort(new Error(reason));
  };

  /** From now on links are judged by what this scope knows. */
  watch(scope: CallScope): void {
    this.#scope = scope;
  }

  /** The answer as it may be shown, stored and sent. */
  settle(answer: Answer): Answer {
    const halted = this.#haltReason !== '' && !this.#outer.signal.aborted;
    const whole: Answer = halted ? { ...answer, text: answer.text || this.#haltReason, stop: 'step_limit' } : answer;
    return { ...whole, text: this.#plain(this.#deps.redactor.redact(whole.text)) };
  }

  /** What the answer says was done, and was not. */
  unsupported({ text, stop }: Answer): readonly string[] {
    const ledger = this.#scope?.ledger;
    if (!ledger || stop !== 'answered') return [];
    return unsupportedClaims(text, { turn: ledger.list(), conversation: ledger.earlier() });
  }

  #show(event: TurnEvent): void {
    if (event.type === 'token') {
      this.#token(this.#tokens.write(event.text));
      return;
    }
    if (event.type === 'retry' || event.type === 'fallback') this.#tokens.reset();
    else if (ENDS_WORDS.has(event.type)) this.#token(this.#tokens.end());
    this.#outer.show(this.#clean(event));
  }

  #token(text: string): void {
    if (text !== '') this.#outer.show({ type: 'token', text });
  }

  #clean(event: TurnEvent): TurnEvent {
    const clean = this.#deps.redactor.redactValue(event) as TurnEvent;
    return clean.type === 'output' ? { ...clean, text: this.#plain(clean.text) } : clean;
  }

  #plain(text: string): string {
    const scope = this.#scope;
    return plainLinks(text, { mayLink: (url) => this.#mayLink(url), bare: scope?.labels.untrusted ?? false });
  }

  #mayLink(address: string): boolean {
    const url = URL.parse(address);
    if (!url || !/^https?:$/u.test(url.protocol)) return false;
    if (this.#deps.linkHosts.some((host) => url.hostname === host || url.hostname.endsWith(`.${host}`))) return true;
    const scope = this.#scope;
    return scope !== undefined && isDerived(address, { destinations: scope.destinations, said: saidBy(scope) });
  }
}

/** The person's own words; the text of a job that a stranger's text gave rise to is none of them. */
export function saidBy(scope: CallScope): readonly string[] {
  return scope.bornUntrusted ? [] : scope.said;
}
