import { integer, secretUrl, text, word } from '../setting.ts';

export const channels = {
  defaultChannel: text({
    key: 'notify.channel',
    env: 'NOTIFY_CHANNEL',
    default: undefined,
    about: 'Channel that notices go to unless they name one: terminal, discord or signal.',
    without: 'the first configured channel, else the terminal',
  }),
  discordWebhookUrl: secretUrl({
    key: 'discord.webhookUrl',
    env: 'DISCORD_WEBHOOK_URL',
    default: undefined,
    about: 'Webhook of the Discord channel that notices go to.',
    without: 'nothing can be sent to Discord',
  }),
  signalCliPath: word({
    key: 'signal.cliPath',
    env: 'SIGNAL_CLI_PATH',
    default: 'signal-cli',
    about: 'The signal-cli program.',
    without: 'signal-cli is looked for on the PATH',
  }),
  signalNumber: text({
    key: 'signal.number',
    env: 'SIGNAL_CLI_NUMBER',
    default: undefined,
    about: 'Your own Signal account, +49…; notices without another recipient go to Note to Self.',
    without: 'nothing can be sent by Signal',
  }),
  signalTo: text({
    key: 'signal.to',
    env: 'SIGNAL_TO',
    default: undefined,
    about: 'Number that Signal notices go to.',
    without: 'Note to Self',
  }),
  signalGroupId: text({
    key: 'signal.groupId',
    env: 'SIGNAL_GROUP_ID',
    default: undefined,
    about: 'Signal group that notices go to, before SIGNAL_TO.',
    without: 'SIGNAL_TO, else Note to Self',
  }),
  signalTimeoutMs: integer({
    key: 'signal.timeoutMs',
    env: 'SIGNAL_CLI_TIMEOUT_MS',
    default: 20_000,
    min: 500,
    max: 600_000,
    about: 'Longest run of signal-cli in ms.',
    without: '20000',
  }),
};
