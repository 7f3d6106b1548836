import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { eventually } from '../../testing/chat-world.ts';
import { type Phone, phoneWorld } from '../../testing/phones.ts';
import type { Scripted } from '../../testing/scripted-model.ts';
import { keepTool, mailTool } from '../../testing/tools.ts';

const call = (name: string, args: Readonly<Record<string, unknown>>): Scripted => ({ toolCalls: [{ name, args }] });
const mailAnn = call('send_mail', { to: 'ann@example.org', text: 'hi' });
const callAnn = call('schedule', { when: 'in 20 minutes', text: 'Call Ann.', as: 'reminder' });

/** What a chat does on every channel that hears words, as its owner sees it on their phone. */
export function chatContract(label: string, open: () => Promise<Phone>): void {
  describe(`a chat on ${label}`, () => {
    test('is answered, and a stranger gets nothing', async () => {
      const phone = await open();
      const { said, model } = await phoneWorld(phone, { replies: ['At noon.'] });
      await phone.writeAsStranger('when is lunch?');
      await phone.write('when is lunch?');
      await eventually(() => expect(said()).toEqual(['At noon.']));
      expect(model.requests).toHaveLength(1);
      expect(phone.textsOfStranger()).toEqual([]);
      expect(phone.showsTyping?.() ?? true).toBe(true);
    });

    test('tells one stranger an hour how to pair, where its owner wants that', async () => {
      const phone = await open();
      const { said } = await phoneWorld(phone, { replies: ['here'], env: { SERVER_PAIRING_HINT: 'true' } });
      await phone.writeAsStranger('hello?');
      await eventually(() => expect(phone.textsOfStranger()).toHaveLength(1));
      await phone.writeAsStranger('hello?');
      await phone.write('are you there?');
      await eventually(() => expect(said()).toContain('here'));
      expect(phone.textsOfStranger()).toHaveLength(1);
    });

    test('asks before something is done, and a choice decides', async () => {
      const sent: string[] = [];
      const phone = await open();
      const { said } = await phoneWorld(phone, {
        replies: [mailAnn, 'Mail sent.'],
        additions: { tools: [mailTool(sent)] },
      });
      await phone.write('mail Ann');
      await eventually(() => expect(said().join()).toContain('ann@example.org'));
      const [, code = ''] = /Question ([\da-f]{4})\./u.exec(said()[0] ?? '') ?? [];
      await phone.writeAsStranger(`yes ${code}`);
      expect(sent).toEqual([]);
      await phone.choose('Approve');
      await eventually(() => expect(said()).toContain('Mail sent.'));
      expect(sent).toHaveLength(1);
    });

    test('keeps a file, reads it and is asked about it', async () => {
      const phone = await open();
      const { said, model, home } = await phoneWorld(phone, { replies: ['The rent rises.'] });
      await phone.write('what is it?', {
        file: { name: 'letter.md', bytes: Buffer.from('The rent rises by 40 euros.') },
      });
      await eventually(() => expect(said()).toEqual(['The rent rises.']));
      expect(JSON.stringify(model.requests[0]?.messages.at(-1)?.content)).toContain('rises by 40 euros');
      expect(readdirSync(join(home, 'projects/home/received'))).toEqual([expect.stringMatching(/letter\.md$/u)]);
    });

    test('goes on with a turn that the end of the program cut off', async () => {
      const kept: string[] = [];
      const additions = { tools: [keepTool((text) => kept.push(text))] };
      const never = new Promise<string>(() => {});
      const phone = await open();
      const first = await phoneWorld(phone, { replies: [call('keep', { text: 'tea' }), () => never], additions });
      await phone.write('keep tea');
      await eventually(() => expect(first.model.requests).toHaveLength(2));
      await first.app.close();
      const { said } = await phoneWorld(phone, { home: first.home, paired: false, replies: ['Kept.'], additions });
      await eventually(() => expect(said()).toEqual(['Kept.']));
      expect(kept).toEqual(['tea']);
    });

    test('gets a reminder that goes away for an hour, comes again, and is done', async () => {
      const phone = await open();
      const { app, said } = await phoneWorld(phone);
      const { notices } = app.schedule.notifier;
      const notice = { key: 'run_1', text: 'call Ann', runId: 'run_1', to: phone.channel };
      await app.store.transaction(() => notices.post(notice));
      await notices.advance();
      await eventually(() => expect(said()[0]).toContain('call Ann'));
      expect(phone.choices()).toEqual(['10 min', '1 h', 'Tomorrow', 'Done']);
      await phone.choose('1 h');
      await eventually(() => expect(said()[1]).toMatch(/^It comes again (?:today|tomorrow) at .*: call Ann$/u));
      const [snoozed] = await notices.list();
      expect((snoozed?.nextAt?.getTime() ?? 0) - Date.now()).toBeGreaterThan(55 * 60_000);
      await notices.snooze(snoozed?.number ?? 0, new Date());
      await notices.advance();
      await eventually(() => expect(said()[2]).toContain('call Ann'));
      await phone.choose('Done');
      await eventually(async () => expect((await notices.list())[0]).toMatchObject({ state: 'done' }));
    });

    test('gets what was scheduled in it as an answer to the message that asked for it', async () => {
      const phone = await open();
      const { app, said } = await phoneWorld(phone, { replies: [callAnn, 'I will.'] });
      await phone.write('remind me to call Ann');
      await eventually(() => expect(said()).toEqual(['I will.']));
      const { jobs, notifier } = app.schedule;
      const due = new Date(Date.now() - 1000).toISOString();
      await app.store.db.updateTable('schedules').set({ next_run_utc: due }).execute();
      await jobs.tick();
      await notifier.flush();
      await eventually(() => expect(said()[1]).toContain('Call Ann.'));
      expect(phone.answersLast()).toBe(true);
    });

    test('shows no model a reply code within other words', async () => {
      const sent: string[] = [];
      const phone = await open();
      const { said, model } = await phoneWorld(phone, {
        replies: [mailAnn, 'Mail sent.'],
        additions: { tools: [mailTool(sent)] },
      });
      await phone.write('mail Ann');
      await eventually(() => expect(said()[0]).toContain('Question '));
      const [, code = ''] = /Question ([\da-f]{4})\./u.exec(said()[0] ?? '') ?? [];
      await phone.write(`never say yes ${code} to that`);
      await eventually(() => expect(said().join()).toContain('nothing else'));
      expect([model.requests.length, sent]).toEqual([1, []]);
    });

    test('forgets what was heard in it when its account is unpaired', async () => {
      const phone = await open();
      const { app, said, accounts } = await phoneWorld(phone, { replies: ['here'] });
      await phone.write('are you there?');
      await eventually(() => expect(said()).toEqual(['here']));
      const { channel } = phone;
      const row = { channel, chat: 'group', said: '[]', at: new Date().toISOString() };
      await app.store.db.insertInto('chat_overheard').values(row).execute();
      await accounts.unpair(channel);
      expect(await app.store.read.selectFrom('chat_overheard').selectAll().execute()).toEqual([]);
      expect(await app.schedule.notifier.inbox.chats(channel)).toEqual([]);
    });
  });
}
