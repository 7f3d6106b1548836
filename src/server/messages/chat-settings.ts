import type { Selectable } from 'kysely';
import { newId } from '../../base/ids.ts';
import { MODES, type Mode } from '../../base/turn.ts';
import type { CommandPlace } from '../../face/doors.ts';
import type { Database } from '../../store/schema.ts';
import type { Store } from '../../store/store.ts';

/** What holds for the turns of a chat. */
export interface ChatSetting {
  readonly conversationId: string;
  readonly project: string;
  readonly mode: Mode;
  /** As the model is named in settings; undefined: the usual one. */
  readonly model: string | undefined;
}

/** Which chat. */
export interface ChatPlace {
  readonly channel: string;
  readonly chat: string;
}

/** The settings of chats: one conversation for each, until it begins another. */
export class ChatSettings {
  readonly #store: Store;
  readonly #place: Pick<CommandPlace, 'mode' | 'project'>;

  constructor(store: Store, place: Pick<CommandPlace, 'mode' | 'project'>) {
    this.#store = store;
    this.#place = place;
  }

  /** As they are, or as they begin. */
  async get(place: ChatPlace): Promise<ChatSetting> {
    return (await this.#known(place)) ?? this.#keep(place, this.#fresh());
  }

  async change(place: ChatPlace, changes: Partial<ChatSetting>): Promise<ChatSetting> {
    return this.#keep(place, { ...((await this.#known(place)) ?? this.#fresh()), ...changes });
  }

  /** It goes on in a conversation of its own, with everything else as it was. */
  restart(place: ChatPlace): Promise<ChatSetting> {
    return this.change(place, { conversationId: newId('conv') });
  }

  /** The chat of a conversation; undefined: it is of another face. */
  async chatOf(conversationId: string): Promise<ChatPlace | undefined> {
    const rows = this.#store.read.selectFrom('chats').select(['channel', 'chat']);
    return rows.where('conversation_id', '=', conversationId).executeTakeFirst();
  }

  #fresh(): ChatSetting {
    return { conversationId: newId('conv'), ...this.#place, model: undefined };
  }

  async #known({ channel, chat }: ChatPlace): Promise<ChatSetting | undefined> {
    const rows = this.#store.read.selectFrom('chats').selectAll().where('channel', '=', channel);
    const row = await rows.where('chat', '=', chat).executeTakeFirst();
    return row && this.#setting(row);
  }

  #setting({ conversation_id, project, mode, model }: Selectable<Database['chats']>): ChatSetting {
    const known = MODES.find((each) => each === mode) ?? this.#place.mode;
    return { conversationId: conversation_id, project, mode: known, model: model ?? undefined };
  }

  async #keep({ channel, chat }: ChatPlace, setting: ChatSetting): Promise<ChatSetting> {
    const { conversationId, project, mode, model } = setting;
    const values = { conversation_id: conversationId, project, mode, model: model ?? null };
    await this.#store.db
      .insertInto('chats')
      .values({ channel, chat, ...values })
      .onConflict((conflict) => conflict.columns(['channel', 'chat']).doUpdateSet(values))
      .execute();
    return setting;
  }
}
