import { Bot, InlineKeyboard, InputFile } from 'grammy';
import { expect, onTestFinished, test, vi } from 'vitest';
import { BOT_TOKEN, OWNER } from './bot-api.ts';
import { startBotApi } from './chat-world.ts';

/** The stand-in is only as good as what somebody else's client makes of it. */
async function grammyBot() {
  const api = await startBotApi();
  const bot = new Bot(BOT_TOKEN, { client: { apiRoot: api.origin } });
  const errors: unknown[] = [];
  bot.catch((error) => void errors.push(error));
  const start = () => {
    void bot.start({ timeout: 2 }).catch((error: unknown) => void errors.push(error));
    onTestFinished(() => bot.stop());
  };
  return { api, bot, start, errors };
}

test('grammY receives what is written, edited and pressed, and answers it', async () => {
  const { api, bot, start, errors } = await grammyBot();
  const heard: string[] = [];
  bot.on('message:text', async (context) => {
    heard.push(`${context.from.id}: ${context.message.text}`);
    const sent = await context.reply('which?', { reply_markup: new InlineKeyboard().text('This', 'this') });
    await context.api.editMessageText(sent.chat.id, sent.message_id, 'which now?', {
      reply_markup: new InlineKeyboard().text('That', 'that'),
    });
    await context.replyWithChatAction('typing');
    await context.react('👀');
  });
  bot.on('edited_message', (context) => void heard.push(`edited: ${context.editedMessage.text}`));
  bot.on('callback_query:data', async (context) => {
    heard.push(`pressed: ${context.callbackQuery.data}`);
    await context.answerCallbackQuery();
    await context.deleteMessage();
  });
  start();
  const id = api.write('hello');
  await vi.waitFor(() => expect(api.texts()).toEqual(['which now?']), 10_000);
  api.press('That');
  api.edit(id, 'hello you');
  await vi.waitFor(() => expect(heard).toEqual([`${OWNER}: hello`, 'pressed: that', 'edited: hello you']), 10_000);
  await vi.waitFor(() => expect(api.texts()).toEqual([]), 10_000);
  expect(api.calls.map(({ method }) => method)).toEqual(
    expect.arrayContaining(['sendChatAction', 'setMessageReaction', 'answerCallbackQuery', 'deleteMessage']),
  );
  expect(errors).toEqual([]);
});

test('grammY gets a file, and refusals in the form that it knows', async () => {
  const { api, bot } = await grammyBot();
  api.write('', { file: { name: 'letter.txt', bytes: Buffer.from('Dear all') } });
  const [update] = await bot.api.getUpdates();
  const { file_path } = await bot.api.getFile(update?.message?.document?.file_id ?? '');
  const response = await fetch(`${api.origin}/file/bot${BOT_TOKEN}/${file_path}`);
  expect(await response.text()).toBe('Dear all');
  await expect(bot.api.sendMessage(OWNER, 'x'.repeat(4097))).rejects.toMatchObject({ error_code: 400 });
  api.faults.push({
    ...{ method: 'sendMessage', status: 429 },
    body: { ok: false, error_code: 429, description: 'Too Many Requests', parameters: { retry_after: 3 } },
  });
  await expect(bot.api.sendMessage(OWNER, 'x')).rejects.toMatchObject({ parameters: { retry_after: 3 } });
});

test('grammY sends a file', async () => {
  const { api, bot } = await grammyBot();
  await bot.api.sendDocument(OWNER, new InputFile(Buffer.from('tent, stove'), 'list.txt'), { caption: 'the list' });
  const [sent] = api.messages;
  expect([sent?.text, sent?.file?.name, String(sent?.file?.bytes)]).toEqual(['the list', 'list.txt', 'tent, stove']);
});

test('an offset confirms, and a second poll ends the first with 409', async () => {
  const { api, bot } = await grammyBot();
  api.write('one');
  const [first] = await bot.api.getUpdates({ offset: 0 });
  expect(await bot.api.getUpdates({ offset: 0 })).toHaveLength(1);
  const held = bot.api.getUpdates({ offset: (first?.update_id ?? 0) + 1, timeout: 20 });
  const refused = expect(held).rejects.toMatchObject({ error_code: 409 });
  await vi.waitFor(() => expect(api.pending).toEqual([]), 10_000);
  await bot.api.getUpdates({ timeout: 0 });
  await refused;
});
