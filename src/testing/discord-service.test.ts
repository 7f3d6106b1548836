import { ActionRowBuilder, ButtonBuilder, ButtonStyle, Client, Events, GatewayIntentBits, Partials } from 'discord.js';
import { expect, onTestFinished, test } from 'vitest';
import { eventually, startDiscord } from './chat-world.ts';
import { dmOf } from './discord-forms.ts';
import { DISCORD_OWNER, DISCORD_TOKEN } from './discord-service.ts';

/** The stand-in is only as good as what somebody else's client makes of it. */
async function discordJs({ content = true } = {}) {
  const api = await startDiscord();
  const { Guilds, DirectMessages, MessageContent } = GatewayIntentBits;
  const client = new Client({
    intents: content ? [Guilds, DirectMessages, MessageContent] : [Guilds, DirectMessages],
    partials: [Partials.Channel, Partials.Message],
    rest: { api: `${api.origin}/api` },
  });
  onTestFinished(() => client.destroy());
  const errors: unknown[] = [];
  client.on(Events.Error, (error) => void errors.push(error));
  const ready = new Promise((resolve) => client.once(Events.ClientReady, resolve));
  const login = async () => {
    await client.login(DISCORD_TOKEN);
    await ready;
  };
  return { api, client, errors, login };
}

function buttons(label: string, says: string) {
  const button = new ButtonBuilder().setCustomId(says).setLabel(label).setStyle(ButtonStyle.Secondary);
  return [new ActionRowBuilder<ButtonBuilder>().addComponents(button)];
}

test('discord.js receives what is written, edited and pressed, and answers it', async () => {
  const { api, client, errors, login } = await discordJs();
  const heard: string[] = [];
  client.on(Events.MessageCreate, async (message) => {
    if (message.author.bot || !message.channel.isSendable()) return;
    const [file] = message.attachments.values();
    heard.push(
      `${message.author.id}: ${message.content}${file ? ` ${file.name} ${await (await fetch(file.url)).text()}` : ''}`,
    );
    if (file) return;
    await message.channel.sendTyping();
    const sent = await message.reply({ content: 'which?', components: buttons('This', 'this') });
    await sent.edit({ content: 'which now?', components: buttons('That', 'that') });
    await message.react('👀');
  });
  client.on(Events.MessageUpdate, (_old, now) => void heard.push(`edited: ${now.content}`));
  client.on(Events.InteractionCreate, async (interaction) => {
    if (!interaction.isButton()) return;
    heard.push(`pressed: ${interaction.customId}`);
    await interaction.deferUpdate();
    await interaction.message.delete();
  });
  await login();
  const id = api.write('hello');
  await eventually(() => expect(api.texts()).toEqual(['which now?']));
  expect(api.sent()[0]?.replyTo).toBe(id);
  await eventually(() => expect(api.calls.map(({ route }) => route)).toContain('react'));
  const press = api.press('That');
  await eventually(() => expect(api.noticed).toEqual([press]));
  await eventually(() => expect(api.texts()).toEqual([]));
  api.edit(id, 'hello you');
  api.write('see', { file: { name: 'letter.txt', bytes: Buffer.from('Dear all') } });
  await eventually(() =>
    expect(heard).toEqual([
      `${DISCORD_OWNER}: hello`,
      'pressed: that',
      'edited: hello you',
      `${DISCORD_OWNER}: see letter.txt Dear all`,
    ]),
  );
  expect(errors).toEqual([]);
});

test('discord.js goes on with its session after a drop and after a request to reconnect', async () => {
  const { api, client, login } = await discordJs();
  const heard: string[] = [];
  client.on(Events.MessageCreate, ({ content }) => void heard.push(content));
  await login();
  api.write('one');
  await eventually(() => expect(heard).toEqual(['one']));
  api.drop();
  api.write('two');
  await eventually(() => expect(heard).toEqual(['one', 'two']));
  api.say(7);
  await eventually(() => expect(api.begun).toEqual(['identify', 'resume', 'resume']));
  api.write('three');
  await eventually(() => expect(heard).toEqual(['one', 'two', 'three']));
});

test('discord.js sends a file, and gets refusals in the form that it knows', async () => {
  const { api, client, login } = await discordJs();
  await login();
  const user = await client.users.createDM(DISCORD_OWNER);
  await user.send({ content: 'the list', files: [{ name: 'list.txt', attachment: Buffer.from('tent, stove') }] });
  expect(api.sent()[0]?.files.map(({ name, bytes }) => [name, String(bytes)])).toEqual([['list.txt', 'tent, stove']]);
  await expect(user.send('x'.repeat(2001))).rejects.toMatchObject({ status: 400, code: 50_035 });
  api.faults.push({ route: 'createMessage', status: 429, body: { message: 'slow', retry_after: 0.05, global: false } });
  await user.send('after a wait');
  const history = await user.messages.fetch({ after: api.sent()[0]?.id ?? '', limit: 10 });
  expect([...history.values()].map(({ content }) => content)).toEqual(['after a wait']);
  expect(user.id).toBe(dmOf(DISCORD_OWNER));
});

test('a bot that may not read content is refused when it asks for it', async () => {
  const { api, client } = await discordJs();
  api.content = false;
  await expect(client.login(DISCORD_TOKEN)).rejects.toThrow(/disallowed intents/iu);
});
