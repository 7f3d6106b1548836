import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ContentBlock, methods, type PromptResponse } from '@agentclientprotocol/sdk';
import { describe, expect, test } from 'vitest';
import { openApp } from '../../testing/app.ts';
import { openEditor } from '../../testing/editor-client.ts';
import type { Answering } from '../../testing/editor-connection.ts';
import { temporaryFolder } from '../../testing/home.ts';
import type { Scripted } from '../../testing/scripted-model.ts';
import { mailTool } from '../../testing/tools.ts';

const { session } = methods.agent;
const call = (name: string, args: unknown): Scripted => ({ toolCalls: [{ name, args }] });

async function scene(
  replies: readonly Scripted[],
  { answering, cwd = '/' }: { answering?: Answering; cwd?: string } = {},
) {
  const sent: string[] = [];
  const { app, model } = await openApp({ replies, additions: { tools: [mailTool(sent)] } });
  const editor = await openEditor(app, answering ? { answering } : {});
  const { sessionId } = await editor.agent.request(session.new, { cwd, mcpServers: [] });
  const say = (...prompt: (string | ContentBlock)[]): Promise<PromptResponse> =>
    editor.agent.request(session.prompt, {
      sessionId,
      prompt: prompt.map((each) => (typeof each === 'string' ? { type: 'text', text: each } : each)),
    });
  const said = (kind: string) =>
    editor.updates
      .flatMap((each) => (each.sessionUpdate === kind && 'content' in each ? [each.content] : []))
      .map((content) => (content && 'text' in content ? content.text : ''))
      .join('');
  return { ...editor, app, model, sent, sessionId, say, said };
}

/** A folder of a person, linked at the first question. */
const linking: Answering = ({ toolCall }) => (toolCall.title?.startsWith('Is ') ? 'link' : 'denied');

describe('a prompt', () => {
  test('is a turn of the conversation that the session is, and its events are updates', async () => {
    const { say, said, updates, app, sessionId } = await scene([call('write_note', { text: 'milk' }), 'Noted.']);
    expect(await say('note milk')).toEqual({ stopReason: 'end_turn' });
    expect(said('agent_message_chunk')).toBe('Noted.');
    const started = updates.find(({ sessionUpdate }) => sessionUpdate === 'tool_call');
    expect(started).toMatchObject({ title: 'write_note: milk', status: 'in_progress', rawInput: { text: 'milk' } });
    expect(updates).toContainEqual(
      expect.objectContaining({
        sessionUpdate: 'tool_call_update',
        status: 'completed',
        toolCallId: started && 'toolCallId' in started ? started.toolCallId : '',
      }),
    );
    expect(updates.at(-1)).toMatchObject({ sessionUpdate: 'session_info_update', title: 'note milk' });
    expect((await app.turns.archive.get(sessionId)).id).toBe(sessionId);
  });

  test('that fails is an error with what to do', async () => {
    const { say } = await scene([]);
    await expect(say('hello')).rejects.toMatchObject({ code: -32603, data: { code: expect.any(String) } });
  });

  test('that is cancelled ends as cancelled, and so does what waits behind it', async () => {
    const reached = Promise.withResolvers<void>();
    const never: Scripted = () => {
      reached.resolve();
      return new Promise(() => undefined);
    };
    const { say, agent, sessionId } = await scene([never]);
    const [first, second] = [say('one'), say('two')];
    await reached.promise;
    await agent.notify(session.cancel, { sessionId });
    expect(await first).toEqual({ stopReason: 'cancelled' });
    expect(await second).toEqual({ stopReason: 'cancelled' });
  });

  test('takes a text of the linked folder as the owner’s, and any other as foreign', async () => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'lease.md'), 'saved');
    const elsewhere = join(temporaryFolder(), 'page.html');
    writeFileSync(elsewhere, 'other');
    symlinkSync(elsewhere, join(cwd, 'link.md'));
    const resource = (path: string, text: string): ContentBlock => ({
      type: 'resource',
      resource: { uri: `file://${path}`, text },
    });
    const { say, model } = await scene(['Read.', 'Read.'], { answering: linking, cwd });
    await say('sum up ');
    const parts = [resource(join(cwd, 'lease.md'), 'A'), resource(join(cwd, 'link.md'), 'B'), resource('/etc/c', 'C')];
    await say('sum up', ...parts, { type: 'image', data: '', mimeType: 'image/png' });
    const asked = JSON.stringify(model.requests.at(-1)?.messages.map(({ content }) => content));
    expect(asked).toContain('lease.md');
    expect(asked).toContain(`file://${join(cwd, 'link.md')}`);
  });
});

test('a file of the linked folder that others may have written stays theirs when the editor hands it over', async () => {
  const cwd = temporaryFolder();
  for (const name of ['lease.md', 'page.md']) writeFileSync(join(cwd, name), name);
  const { say, app, sessionId } = await scene(['Read.', 'Read.', 'Read.'], { answering: linking, cwd });
  await say('sum up');
  await app.knowledge.origins.files.declare(join(cwd, 'page.md'), { untrusted: true, folder: false });
  const labels = async (name: string) => {
    await say('sum up', { type: 'resource', resource: { uri: `file://${join(cwd, name)}`, text: name } });
    const rows = app.store.db.selectFrom('conversations').select('read_untrusted').where('id', '=', sessionId);
    return (await rows.executeTakeFirstOrThrow()).read_untrusted;
  };
  expect(await labels('lease.md')).toBe(0);
  expect(await labels('page.md')).toBe(1);
});

describe('approvals', () => {
  const mail = [call('send_mail', { to: 'eve@x.example' }), 'Done.'];

  test.each([
    ['once', ['eve@x.example']],
    ['denied', []],
    ['nonsense', []],
  ])('%s', async (answer, reached) => {
    const { say, sent, asked } = await scene(mail, { answering: () => answer });
    await say('mail Eve');
    expect(sent).toEqual(reached);
    expect(asked).toMatchObject([{ toolCall: { title: 'send_mail: eve@x.example', status: 'pending' } }]);
    expect(asked[0]?.options.map(({ optionId }) => optionId)).toEqual(['once', 'turn', 'always', 'denied']);
  });

  test('a cancelled turn takes its question back, and nothing is sent', async () => {
    const wait = Promise.withResolvers<void>();
    const answering: Answering = () => {
      wait.resolve();
      return new Promise(() => undefined);
    };
    const { say, sent, agent, sessionId } = await scene(mail, { answering });
    const done = say('mail Eve');
    await wait.promise;
    await agent.notify(session.cancel, { sessionId });
    expect(await done).toEqual({ stopReason: 'cancelled' });
    expect(sent).toEqual([]);
  });

  test('kept for later, the call becomes a proposal', async () => {
    const { say, agent, sessionId, asked, app } = await scene(mail);
    await agent.request(session.setConfigOption, { sessionId, configId: 'approvals', value: 'later' });
    await say('mail Eve');
    expect(asked).toEqual([]);
    expect(await app.tools.proposals.list()).toMatchObject([{ tool: 'send_mail' }]);
  });
});

describe('the folder that an editor works in', () => {
  const edit = [call('edit_file', { path: 'lease.md', old: '900', new: '950' }), 'So it is.'];

  test('is linked by one consent; an edit is shown as a diff, and undo brings it back', async () => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'lease.md'), 'Rent: 900');
    const { say, asked, updates, app } = await scene(edit, { answering: linking, cwd });
    await say('the rent is 950 now');
    const path = join(cwd, 'lease.md');
    expect(asked).toMatchObject([{ toolCall: { title: `Is ${cwd} your work?` } }]);
    expect(updates).toContainEqual(
      expect.objectContaining({ content: [{ type: 'diff', path, oldText: 'Rent: 900', newText: 'Rent: 950' }] }),
    );
    const [, linked = ''] = app.knowledge.projects.list();
    expect(app.knowledge.projects.files(linked)).toBe(cwd);
    await app.tools.undo.newest(linked);
    expect(readFileSync(path, 'utf8')).toBe('Rent: 900');
  });

  test('stays apart after a no, for good', async () => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'lease.md'), 'Rent: 900');
    const { say, agent, asked } = await scene([...edit, 'Hello.'], { answering: () => 'apart', cwd });
    await say('the rent is 950 now');
    expect(readFileSync(join(cwd, 'lease.md'), 'utf8')).toBe('Rent: 900');
    const again = await agent.request(session.new, { cwd, mcpServers: [] });
    await agent.request(session.prompt, { sessionId: again.sessionId, prompt: [{ type: 'text', text: 'hi' }] });
    expect(asked).toHaveLength(1);
  });

  test('that is gone is told, and harms nothing', async () => {
    const cwd = temporaryFolder();
    mkdirSync(join(cwd, 'sub'));
    const { say, said } = await scene(['Hello.', ...edit], { answering: linking, cwd: join(cwd, 'sub') });
    await say('hello');
    rmSync(join(cwd, 'sub'), { recursive: true });
    await say('the rent is 950 now');
    expect(said('agent_message_chunk')).toContain('So it is.');
  });
});

describe('sessions', () => {
  test('are listed, loaded with their whole history, resumed without it, closed and deleted', async () => {
    const { say, agent, sessionId, updates } = await scene([call('write_note', { text: 'milk' }), 'Noted.']);
    await say('note milk');
    expect((await agent.request(session.list, {})).sessions).toMatchObject([{ sessionId, title: 'note milk' }]);
    await agent.request(session.close, { sessionId });
    updates.length = 0;
    await agent.request(session.load, { sessionId, cwd: '/', mcpServers: [] });
    expect(updates.map(({ sessionUpdate }) => sessionUpdate)).toEqual([
      'user_message_chunk',
      'tool_call',
      'tool_call_update',
      'agent_message_chunk',
    ]);
    updates.length = 0;
    expect(await agent.request(session.resume, { sessionId, cwd: '/' })).toMatchObject({
      modes: { currentModeId: 'classic_tools' },
    });
    expect(updates).toEqual([]);
    await agent.request(session.delete, { sessionId });
    await agent.request(session.delete, { sessionId });
    await expect(agent.request(session.load, { sessionId, cwd: '/', mcpServers: [] })).rejects.toMatchObject({
      code: -32602,
    });
  });

  test('have modes, and the same as options', async () => {
    const { agent, sessionId, updates } = await scene([]);
    await agent.request(session.setMode, { sessionId, modeId: 'code_agent' });
    expect(updates).toContainEqual({ sessionUpdate: 'current_mode_update', currentModeId: 'code_agent' });
    const { configOptions } = await agent.request(session.setConfigOption, {
      ...{ sessionId, configId: 'mode', value: 'classic_tools' },
    });
    expect(configOptions).toContainEqual(expect.objectContaining({ id: 'mode', currentValue: 'classic_tools' }));
    await expect(agent.request(session.setMode, { sessionId, modeId: 'turbo' })).rejects.toMatchObject({
      code: -32602,
    });
  });

  test('a page of the list leads to the next', async () => {
    const { agent, app } = await scene([]);
    await expect(agent.request(session.list, { cursor: '-1' })).rejects.toMatchObject({ code: -32602 });
    expect(await agent.request(session.list, { cursor: '0' })).toEqual({ sessions: [] });
    expect(app).toBeDefined();
  });
});
