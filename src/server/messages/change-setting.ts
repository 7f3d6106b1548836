import { MODES } from '../../base/turn.ts';
import type { ChatPlace } from './chat-settings.ts';
import type { Room } from './room.ts';
import type { Meant, SettingWord } from './words.ts';

type Change = (room: Room, place: ChatPlace, value: string) => Promise<string>;

/** What each word of a chat's own changes, and says about it. */
const CHANGES: Readonly<Record<SettingWord, Change>> = {
  start: async () =>
    'I am here. Write what you need, or send a file. /new begins another conversation, "stop" stops me.',
  new: async ({ settings }, place) => {
    await settings.restart(place);
    return 'A new conversation begins.';
  },
  mode: async ({ settings }, place, value) => {
    const mode = MODES.find((each) => each === value || each.startsWith(`${value}_`));
    if (!mode) return `The mode is ${(await settings.get(place)).mode}; there are ${MODES.join(' and ')}.`;
    await settings.change(place, { mode });
    return `The mode of this chat is ${mode}.`;
  },
  project: async ({ app, settings }, place, value) => {
    if (value === '') return `The project of this chat is ${(await settings.get(place)).project}.`;
    app.knowledge.projects.check(value);
    await settings.change(place, { project: value });
    return `The project of this chat is ${value}.`;
  },
  model: async ({ settings }, place, value) => {
    const { model } = value === '' ? await settings.get(place) : await settings.change(place, { model: value });
    return `The model of this chat is ${model ?? 'the usual one'}.`;
  },
};

/** @throws AssistantError `unknown_project`. */
export async function changeSetting(
  room: Room,
  place: ChatPlace,
  { word, value }: Extract<Meant, { kind: 'setting' }>,
): Promise<void> {
  await room.say(place.chat, await CHANGES[word](room, place, value));
}
