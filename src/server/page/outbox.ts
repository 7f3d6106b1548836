import { Problem, post } from './api.ts';
import { keep, kept } from './kept.ts';

/** A file that goes along with a request: a text, or any other in base64. */
export type Attachment = { readonly name: string } & ({ readonly text: string } | { readonly data: string });

/** A request on its way. Its key makes it begin one turn, however often it is sent. */
export interface Outgoing {
  readonly key: string;
  readonly text: string;
  readonly conversationId?: string;
  readonly project?: string;
  readonly mode?: string;
  readonly attachments?: readonly Attachment[];
}

export interface Begun {
  readonly id: string;
  readonly conversationId: string;
}

const NAME = 'outbox';
const [FIRST_MS, LAST_MS] = [500, 10_000];

/** What was written and has not arrived: it is kept over a reload and sent until the server has it, or refuses it. */
class Outbox {
  waiting(): readonly Outgoing[] {
    return kept<readonly Outgoing[]>(NAME) ?? [];
  }

  /** @throws Problem when it is refused; it is not kept then. */
  async send(outgoing: Outgoing): Promise<Begun> {
    keep(NAME, [...this.waiting().filter(({ key }) => key !== outgoing.key), outgoing]);
    for (let tries = 0; ; tries += 1) {
      try {
        const begun = await this.#post(outgoing);
        this.#forget(outgoing);
        return begun;
      } catch (error) {
        // A door that is closed for a moment, or a server that starts anew, is no refusal.
        if (error instanceof Problem && (error.status === 0 || error.status >= 500)) await this.#pause(tries);
        else {
          this.#forget(outgoing);
          throw error;
        }
      }
    }
  }

  #post({ key, ...body }: Outgoing): Promise<Begun> {
    return post<Begun>('/api/turns', body, { headers: { 'idempotency-key': key } });
  }

  #forget({ key }: Outgoing): void {
    keep(
      NAME,
      this.waiting().filter((each) => each.key !== key),
    );
  }

  async #pause(tries: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, Math.min(LAST_MS, FIRST_MS * 2 ** tries));
    const now = () => resolve();
    addEventListener('online', now);
    await promise;
    clearTimeout(timer);
    removeEventListener('online', now);
  }
}

export const outbox = new Outbox();
