import type { ChannelOption } from '../../notify/channel.ts';
import { CHANNEL_ROWS, CHANNELS, type ChannelOptions } from '../../notify/channels.ts';
import { HERE } from '../../notify/routes.ts';
import { integer, type Setting, secret, secretUrl, text, url, word } from '../setting.ts';

type ChannelSettings = { readonly [Name in keyof ChannelOptions]: Setting<ChannelOptions[Name]> };

/** The default channel, then the options that each channel declares for itself. */
export const channels = {
  defaultChannel: text({
    key: 'notify.channel',
    env: 'NOTIFY_CHANNEL',
    default: undefined,
    about: `Channel that notices go to unless they name one: ${anyOf([...CHANNELS.map(({ id }) => id), HERE])}.`,
    without: 'the first configured channel, else where you are',
  }),
  ...Object.fromEntries(Object.entries(CHANNEL_ROWS).map(([name, row]) => [name, settingOf(row)])),
} as unknown as ChannelSettings;

function settingOf(row: ChannelOption): Setting<unknown> {
  if (row.kind === 'integer') return integer(row);
  if (row.kind === 'word') return word(row);
  return { text, url, secret, secretUrl }[row.kind]({ ...row, default: undefined });
}

function anyOf(names: readonly string[]): string {
  return new Intl.ListFormat('en', { type: 'disjunction' }).format(names);
}
