import { preview } from '../base/text.ts';
import type { Store } from '../store/store.ts';
import type { ChatMessage, Overheard } from './inbound.ts';

/** What is read with a request; what was said before that is forgotten, whoever writes how much. */
const MOST = 50;
const [MAX_CHARS, MAX_NAME_CHARS] = [1000, 40];

/** Which chat. */
interface Place {
  readonly channel: string;
  readonly chat: string;
}

/**
 * What others say in groups, kept until the owner addresses the assistant there, and then kept with their request. Each
 * method belongs to the caller's transaction.
 */
export class OverheardTalk {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Keep what was said, oldest first. */
  async keep(place: Place, messages: readonly ChatMessage[], now: Date): Promise<void> {
    const said = JSON.stringify(together(await this.#kept(place), messages));
    const row = { said, at: now.toISOString() };
    await this.#store.db
      .insertInto('chat_overheard')
      .values({ ...place, ...row })
      .onConflict((conflict) => conflict.columns(['channel', 'chat']).doUpdateSet(row))
      .execute();
  }

  /** What was kept, and what was said since; nothing of it is kept any longer. */
  async take(place: Place, messages: readonly ChatMessage[]): Promise<readonly Overheard[]> {
    const kept = await this.#kept(place);
    if (kept.length > 0) await this.#rows(place).execute();
    return together(kept, messages);
  }

  async forgetOld(before: string): Promise<void> {
    await this.#store.db.deleteFrom('chat_overheard').where('at', '<', before).execute();
  }

  async #kept({ channel, chat }: Place): Promise<readonly Overheard[]> {
    const rows = this.#store.db.selectFrom('chat_overheard').select('said').where('channel', '=', channel);
    const row = await rows.where('chat', '=', chat).executeTakeFirst();
    return row ? (JSON.parse(row.said) as Overheard[]) : [];
  }

  #rows({ channel, chat }: Place) {
    return this.#store.db.deleteFrom('chat_overheard').where('channel', '=', channel).where('chat', '=', chat);
  }
}

/** A new version of a message takes the place of the old one, and is nothing where that is forgotten. */
function together(kept: readonly Overheard[], messages: readonly ChatMessage[]): readonly Overheard[] {
  const said = new Map(kept.map((each) => [each.id, each]));
  for (const { kind, id, name = 'somebody', text, foreign } of messages) {
    const words = [text, ...foreign.map((each) => `(${each.name}: ${each.text})`)].join(' ').trim();
    if (words === '' || (kind === 'edit' && !said.has(id))) continue;
    said.set(id, { id, name: preview(name, MAX_NAME_CHARS), text: preview(words, MAX_CHARS) });
  }
  return [...said.values()].slice(-MOST);
}
