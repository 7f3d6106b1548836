import type { Source } from '../tool.ts';
import { OUTSIDE, WEB } from '../tool.ts';
import { type Origins, type TextLabels, worst } from './origins.ts';
import { askingContext } from './tool-call.ts';
import type { Call } from './types.ts';

/**
 * The labels of what one call says. A result has those of what the tool says it holds, else of all that it names
 * beforehand; an error may quote anything of both.
 */
export class CallSources {
  readonly #call: Call;
  readonly #origins: Origins | undefined;
  #named: Promise<TextLabels> | undefined;
  #held: Source[] | undefined;

  /** @param origins absent: nobody knows what another call has written, so all of it counts as untrusted. */
  constructor(call: Call, origins: Origins | undefined) {
    this.#call = call;
    this.#origins = origins;
  }

  /** For the running tool. */
  readonly holds = (...sources: readonly Source[]): void => {
    this.#held = [...(this.#held ?? []), ...sources];
  };

  /** The labels of all that the tool names. Ask before a call that changes something: afterwards they are others. */
  named(): Promise<TextLabels> {
    this.#named ??= namedBy(this.#call).then((sources) => this.#labels(sources));
    return this.#named;
  }

  async ofResult(): Promise<TextLabels> {
    const own = this.#held === undefined ? await this.named() : await this.#labels(this.#held);
    const { network, effect } = this.#call.tool.policy;
    // What is fetched is foreign, whatever its tool says; what a message leaves behind is a confirmation.
    return network && effect !== 'outbound' ? worst(own, await this.#labels([WEB])) : own;
  }

  /** @param answered a service may have been reached, whose answer the error may quote. */
  async ofError({ answered }: { readonly answered: boolean }): Promise<TextLabels> {
    const { network, effect } = this.#call.tool.policy;
    const services = answered && (network || effect === 'outbound') ? [WEB] : [];
    return worst(await this.named(), await this.#labels([...(this.#held ?? []), ...services]));
  }

  async #labels(sources: readonly Source[]): Promise<TextLabels> {
    if (sources.length === 0) return { untrusted: false, private: false };
    if (this.#origins) return this.#origins.labels(sources);
    return { untrusted: true, private: sources.some((source) => source !== WEB) };
  }
}

/** What cannot be told is from outside. */
async function namedBy({ tool, input, scope }: Call): Promise<readonly Source[]> {
  const { readsFrom } = tool.provenance;
  try {
    const named: unknown = typeof readsFrom === 'function' ? await readsFrom(input, askingContext(scope)) : readsFrom;
    return Array.isArray(named) ? (named as Source[]) : [OUTSIDE];
  } catch {
    return [OUTSIDE];
  }
}
