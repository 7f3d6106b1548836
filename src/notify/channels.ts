import type { Channel, ChannelDeps, ChannelDescriptor, OptionRows, OptionValues } from './channel.ts';
import { desktop } from './channels/desktop.ts';
import { discord } from './channels/discord.ts';
import { email } from './channels/email.ts';
import { ntfy } from './channels/ntfy.ts';
import { signal } from './channels/signal.ts';
import { telegram } from './channels/telegram.ts';
import { webhook } from './channels/webhook.ts';

const DESCRIPTORS = [discord, signal, ntfy, telegram, email, webhook, desktop] as const;

type Descriptor = (typeof DESCRIPTORS)[number];
type Intersection<Union> = (Union extends unknown ? (each: Union) => void : never) extends (all: infer All) => void
  ? All
  : never;

/** The option rows of all channels by name. */
export type ChannelRows = Intersection<Descriptor['options']>;

/** The settings of all channels. */
export type ChannelOptions = OptionValues<ChannelRows> & {
  /** Where a message without `to` goes; absent: the first configured channel. */
  readonly defaultChannel: string | undefined;
};

/** Every channel, in the order in which a message without `to` tries them. */
export const CHANNELS: readonly ChannelDescriptor[] = DESCRIPTORS;

/** Those that leave this machine. */
export const REMOTE_CHANNELS: readonly ChannelDescriptor[] = CHANNELS.filter(({ remote }) => remote);

/** The options of all channels, in the order of the docs. */
export const CHANNEL_ROWS = Object.assign({}, ...CHANNELS.map(({ options }) => options)) as ChannelRows & OptionRows;

/** @param name in any case, as a person or a model writes it. */
export function findChannel(name: string): ChannelDescriptor | undefined {
  return CHANNELS.find(({ id }) => id === name.toLowerCase());
}

/** The name of the tool that sends to this channel alone. */
export function toolNameOf({ id }: Pick<ChannelDescriptor, 'id'>): string {
  return `${id}_notify`;
}

/** The options with those that channels take from the settings of plugins. @param plugins  each plugin's section. */
export function completed(options: ChannelOptions, plugins: Readonly<Record<string, unknown>>): ChannelOptions {
  return Object.assign({}, options, ...CHANNELS.map(({ borrow }) => borrow?.(options, plugins) ?? {}));
}

export function connectChannels(options: ChannelOptions, deps: ChannelDeps): Channel[] {
  return DESCRIPTORS.map((descriptor) => ({ ...descriptor, ...descriptor.connect(options, deps) }));
}
