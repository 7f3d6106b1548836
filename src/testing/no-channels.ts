import { CHANNEL_ROWS, type ChannelOptions } from '../notify/channels.ts';

/** Every channel as it is when nothing is set: each option at its default. */
export const NO_CHANNELS = Object.fromEntries(
  Object.entries(CHANNEL_ROWS).map(([name, row]) => [name, 'default' in row ? row.default : undefined]),
) as unknown as ChannelOptions;
