import { plainLinks } from '../base/plain-links.ts';
import type { Redactor } from '../base/redact.ts';
import { RedactingStream } from '../base/redact-stream.ts';
import type { Answer, Turn, TurnContext, TurnEvent } from '../base/turn.ts';
import { webAddress } from '../base/web-address.ts';
import { answerLanguage } from '../builtin/language.ts';
import { claimsWithoutDeeds } from '../tools/gate/claim-check.ts';
import { isKnownLink, placesIn, voiceOf } from '../tools/gate/destinations.ts';
import { inputWords } from '../tools/gate/effect-rows.ts';
import type { Proposal } from '../tools/gate/proposals.ts';
import type { CallScope } from '../tools/gate/types.ts';
import type { Language } from '../words/spelling.ts';

export interface TurnGuardDeps {
  readonly redactor: Redactor;
  /** Hosts that answers may always link to and show images from. */
  readonly linkHosts: readonly string[];
}

/** The person reads it under the answer: what was done, and that it need not have been their own idea. */
const STEERED: Readonly<Record<Language, { readonly lead: string; readonly more: string; readonly end: string }>> = {
  en: {
    lead: "Somebody else's text was read before and may have led to this",
    more: 'and N more',
    end: '/undo takes it back',
  },
  de: {
    lead: 'Vorher wurde fremder Text gelesen, der hierzu geführt haben kann',
    more: 'und N weitere',
    end: '/undo nimmt es zurück',
  },
};
/** How many changes are named under an answer, and with how much of their input. */
const [SHOWN_CHANGES, SHOWN_INPUT] = [5, 80];
/** Events that come only after a reply's last word; all others may come in the middle of it. */
const ENDS_WORDS: ReadonlySet<TurnEvent['type']> = new Set(['answer', 'tool', 'approval', 'code', 'output', 'error']);

/**
 * The boundary of one turn: redacts secrets on the way in and out, disarms links that could leak what was read, and
 * can end the turn.
 */
export class TurnGuard {
  /** The turn, with secrets redacted from its text. */
  readonly turn: Turn;
  /** The caller's context, with every event cleaned before it is shown. */
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
    const redact = (text: string) => deps.redactor.redact(text);
    const material = turn.material?.map((each) => ({ ...each, name: redact(each.name), text: redact(each.text) }));
    this.turn = { ...turn, text: redact(turn.text), ...(material ? { material } : {}) };
    this.context = {
      signal: AbortSignal.any([context.signal, this.#halted.signal]),
      now: () => context.now(),
      timeZone: context.timeZone,
      show: (event) => this.#show(event),
      approve: (request) => context.approve(request),
      steering: () => (context.steering?.() ?? []).map((text) => deps.redactor.redact(text)),
      ...(context.showsChanges && { showsChanges: true }),
      doing: (tool) => context.doing?.(tool),
      ...(context.ask && { ask: context.ask.bind(context) }),
    };
  }

  /** End a turn that is getting nowhere, as if it had run out of steps; the reason becomes its answer. */
  readonly halt = (reason: string): void => {
    this.#haltReason ||= reason;
    this.#halted.abort(new Error(reason));
  };

  /** Judge links by this scope from now on. Until then only links to the allowed hosts are live. */
  watch(scope: CallScope): void {
    this.#scope = scope;
  }

  /** The calls of this turn that wait for the owner. */
  proposed(): readonly Proposal[] {
    return [...(this.#scope?.approvals.proposed.values() ?? [])];
  }

  /** The answer as it may be shown, saved and sent. */
  settle(answer: Answer): Answer {
    const halted = this.#haltReason !== '' && !this.#outer.signal.aborted;
    const whole: Answer = halted ? { ...answer, text: answer.text || this.#haltReason, stop: 'step_limit' } : answer;
    const text = this.#plain(this.#deps.redactor.redact(whole.text));
    return this.#scope?.labels.untrusted ? { ...whole, text, voice: voiceOf(text, this.#scope) } : { ...whole, text };
  }

  /** What the person has to be told of an answer. @param by whether what was read could have steered its model. */
  async afterwards(answer: Answer, by: { readonly steerable: boolean }): Promise<readonly TurnEvent[]> {
    const claims = (await this.#unsupported(answer)).map(
      (text) => ({ type: 'claim', text, supported: false }) as const,
    );
    const steered = by.steerable ? await this.#steeredChanges() : undefined;
    return steered === undefined ? claims : [...claims, { type: 'notice', text: steered }];
  }

  /** Claims in the answer about actions that no effect on record supports. */
  async #unsupported({ text, stop }: Answer): Promise<readonly string[]> {
    const ledger = this.#scope?.ledger;
    if (!ledger || stop !== 'answered') return [];
    return claimsWithoutDeeds(text, ledger);
  }

  /** What was changed here in a turn that others' text may have steered; undefined: nothing. */
  async #steeredChanges(): Promise<string | undefined> {
    const scope = this.#scope;
    if (!scope?.labels.untrusted) return undefined;
    const changes = (await scope.ledger.list()).filter(({ effect, state }) => effect === 'local' && state === 'done');
    if (changes.length === 0) return undefined;
    const listed = changes.slice(0, SHOWN_CHANGES).map(({ tool, input }) => {
      const words = inputWords(input, SHOWN_INPUT);
      return words === '' ? tool : `${tool} “${words}”`;
    });
    const more = changes.length - listed.length;
    const say = STEERED[answerLanguage(this.turn.text, [])];
    return `${say.lead}: ${listed.join(', ')}${more > 0 ? ` ${say.more.replace('N', String(more))}` : ''}. ${say.end}.`;
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
    const url = webAddress(address);
    if (!url) return false;
    if (this.#deps.linkHosts.some((host) => url.hostname === host || url.hostname.endsWith(`.${host}`))) return true;
    const scope = this.#scope;
    return scope !== undefined && isKnownLink(address, placesIn(scope));
  }
}
