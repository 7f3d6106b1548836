import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openCommands } from '../../testing/commands.ts';

const PROMPT = { name: 'write_file', args: { path: 'prompt.txt', content: 'Speak like a sailor.' } };

async function withProposal() {
  const commands = await openCommands({ replies: [{ toolCalls: [PROMPT] }, 'It waits.', 'And?'] });
  const answer = await commands.say('from now on speak like a sailor');
  const [row] = (await commands.run(['approvals'])).rows as { id: string }[];
  return { ...commands, answer, id: row?.id ?? '', file: join(commands.home, 'projects/home/prompt.txt') };
}

test('the last line of the answer says what waits, and the list shows it', async () => {
  const { answer, run, id } = await withProposal();
  expect(answer.stop).toBe('answered');
  expect(answer.text.split('\n').at(-1)).toBe(
    `Waiting for your approval: write_file prompt.txt. "wooster approve ${id}" does it, "wooster deny ${id}" drops it.`,
  );
  const { rows, lines } = await run(['approvals']);
  expect(rows).toMatchObject([
    { id, kind: 'proposal', tool: 'write_file', input: PROMPT.args, destination: 'prompt.txt', state: 'waiting' },
  ]);
  expect(Object.keys(rows[0] as object)).toEqual(
    'id kind tool input destination reason createdAt expiresAt state'.split(' '),
  );
  expect(lines[0]).toMatch(/^prop_\w+ {2}waiting {2}write_file prompt\.txt {2}\(.+; until /u);
});

test('approve shows what changes, runs it once, and then says that it has', async () => {
  const { run, id, file } = await withProposal();
  expect(existsSync(file)).toBe(false);
  const { code, lines } = await run(['approve', id]);
  expect(code).toBe(0);
  expect(lines.join('\n')).toContain('+ Speak like a sailor.');
  expect(readFileSync(file, 'utf8')).toBe('Speak like a sailor.');
  writeFileSync(file, 'By hand.');
  expect(await run(['approve', id])).toMatchObject({ code: 1 });
  expect(readFileSync(file, 'utf8')).toBe('By hand.');
});

test('where the file has changed since, nothing runs: the change as it is now is shown, and its new id', async () => {
  const { run, id, file } = await withProposal();
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, 'Be brief, and ask before you send.');
  const { code, lines, rows } = await run(['approve', id]);
  const [{ proposal }] = rows as [{ proposal: string }];
  expect(code).toBe(1);
  expect(rows).toMatchObject([{ id, outcome: 'changed', diff: expect.stringContaining('ask before you send') }]);
  expect(lines.join('\n')).toContain('- Be brief, and ask before you send.');
  expect(lines.join('\n')).toContain(`"approve ${proposal}" does that.`);
  expect(readFileSync(file, 'utf8')).toBe('Be brief, and ask before you send.');
  expect(await run(['approve', proposal])).toMatchObject({ code: 0 });
  expect(readFileSync(file, 'utf8')).toBe('Speak like a sailor.');
});

test('deny --turn drops all that its turn has proposed', async () => {
  const note = { name: 'write_file', args: { path: 'Makefile', content: 'all:' } };
  const commands = await openCommands({ replies: [{ toolCalls: [PROMPT, note] }, 'They wait.'] });
  await commands.say('do both');
  const [{ id }] = (await commands.run(['approvals'])).rows as [{ id: string }];
  const { code, lines, rows } = await commands.run(['deny', id, '--turn']);
  expect([code, rows.length, lines]).toEqual([0, 2, ['2 calls will not be run.']]);
  expect((await commands.run(['deny', id, '--turn'])).code).toBe(1);
});

test('deny drops it, and nothing can approve it then', async () => {
  const { run, id, file } = await withProposal();
  expect(await run(['deny', id])).toMatchObject({ code: 0, rows: [{ id, denied: true }] });
  expect(await run(['deny', id])).toMatchObject({ code: 1, rows: [{ id, denied: false }] });
  expect(await run(['approve', id])).toMatchObject({ code: 1, rows: [{ id, outcome: 'denied' }] });
  expect(existsSync(file)).toBe(false);
  expect((await run(['approvals'])).rows).toMatchObject([{ id, state: 'denied' }]);
});

test('what is no proposal is refused', async () => {
  const { run } = await openCommands();
  await expect(run(['approve', 'prop_none'])).rejects.toMatchObject({ code: 'bad_usage' });
  await expect(run(['approve'])).rejects.toMatchObject({ code: 'bad_usage' });
  await expect(run(['deny'])).rejects.toMatchObject({ code: 'bad_usage' });
});

test('the next request is told what waits and what became of it', async () => {
  const asked: string[] = [];
  const note = (messages: readonly { text: string }[]) => {
    asked.push(messages[0]?.text ?? '');
    return 'Yes.';
  };
  const commands = await openCommands({ replies: [{ toolCalls: [PROMPT] }, 'It waits.', note, note] });
  await commands.say('speak like a sailor');
  const [{ id }] = (await commands.run(['approvals'])).rows as [{ id: string }];
  await commands.say('and now?', 'conv_2');
  expect(asked[0]).toContain(`${id} (write_file), of another conversation, waits for the owner's approval`);
  await commands.run(['approve', id]);
  await commands.say('and then?', 'conv_1');
  expect(asked[1]).toContain(`${id} (write_file) was approved by the owner, and done.`);
});

test('a restricted job acts after it was approved', async () => {
  const { run, app } = await openCommands();
  const { id } = await app.schedule.jobs.add({ when: '@daily', prompt: 'note it', project: 'home', untrusted: true });
  const shown = await run(['approve', id]);
  expect(shown).toMatchObject({ code: 1, rows: [{ outcome: 'shown', result: 'note it' }] });
  const [{ approval }] = shown.rows as [{ approval: string }];
  expect((await run(['schedule', 'show', id])).lines.join('\n')).toContain(`wooster approve ${approval}`);
  await app.schedule.jobs.rename(id, 'send it', { untrusted: true });
  expect(await run(['approve', approval])).toMatchObject({
    code: 1,
    rows: [{ outcome: 'changed', result: 'send it' }],
  });
  expect((await app.schedule.jobs.show(id)).job.restricted).toBe(true);
  await app.schedule.jobs.rename(id, 'note it', { untrusted: true });
  expect(await run(['approve', approval])).toMatchObject({ code: 0 });
  expect(await run(['approve', approval])).toMatchObject({ code: 1 });
  expect((await app.schedule.jobs.show(id)).job.restricted).toBe(false);
});

test('trust and untrust decide whether a prompt is followed, and sources shows whose text a file is', async () => {
  const asked: string[] = [];
  const note = (messages: readonly { text: string }[]) => {
    asked.push(messages[0]?.text ?? '');
    return 'Yes.';
  };
  const { run, say, home } = await openCommands({ replies: [note, note, note] });
  const folder = join(home, 'projects/home');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'prompt.txt'), 'Speak like a sailor.');
  writeFileSync(join(folder, 'mail.eml'), 'Subject: hi\n\nThis is a mail.\n');
  await say('hello', 'conv_1');
  expect(asked.at(-1)).toContain('sailor');
  expect(await run(['untrust', 'prompt.txt'])).toMatchObject({ rows: [{ path: 'projects/home/prompt.txt' }] });
  await say('hello', 'conv_2');
  expect(asked.at(-1)).not.toContain('sailor');
  await run(['trust', 'projects/home/prompt.txt']);
  await say('hello', 'conv_3');
  expect(asked.at(-1)).toContain('sailor');
  await run(['ingest']);
  expect((await run(['sources'])).rows).toMatchObject([{ file: 'mail.eml', trust: 'untrusted' }]);
  await run(['trust', 'mail.eml']);
  expect((await run(['sources'])).rows).toMatchObject([{ file: 'mail.eml', trust: 'owner', why: null }]);
  await expect(run(['trust', 'nowhere.md'])).rejects.toMatchObject({ code: 'file_not_found' });
  await expect(run(['trust'])).rejects.toMatchObject({ code: 'bad_usage' });
});

test('log --why says what a call could do, what was read before, and what the policy says to it', async () => {
  const calls = [{ name: 'write_note', args: { text: 'x' } }];
  const { run, say, app } = await openCommands({ replies: [{ toolCalls: calls }, 'Noted.'] });
  await say('note x');
  const { id } = await app.store.read.selectFrom('effects').select('id').executeTakeFirstOrThrow();
  const { lines, rows } = await run(['log', '--why', id]);
  expect(rows).toMatchObject([{ id, question: { can: 'recoverable' }, answer: { verdict: 'allow' } }]);
  expect(lines.at(-1)).toBe('  decision: runs, because it stays on this machine and can be undone');
  await expect(run(['log', '--why', 'eff_none'])).rejects.toMatchObject({ code: 'bad_usage' });
});
