import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { estimateTokens } from '../../base/text.ts';
import { AGREED_UNSEEN, type Decision } from '../../base/turn.ts';
import { Conversations } from '../../conversation/conversations.ts';
import { testTurn } from '../../testing/agent.ts';
import { openCommands } from '../../testing/commands.ts';
import { temporaryFolder } from '../../testing/home.ts';
import { FACTS } from '../../testing/memory-facts.ts';
import { testScope } from '../../testing/scope.ts';
import { PROMPT_TOKENS } from './memory.ts';

interface Reading {
  readonly untrusted?: boolean;
  readonly decide?: Decision;
}

/** An app with its memory, and calls in a conversation that has read the given kinds of content. */
async function scene(project = 'home') {
  const commands = await openCommands({ session: { project } });
  const { app, home } = commands;
  if (project !== 'home') app.knowledge.projects.create(project);
  const conversations = new Conversations(app.store);
  await conversations.begin(testTurn('hello', { conversationId: 'conv_web', project }), () => new Date());
  let turns = 0;
  const call = async (name: string, input: unknown, { untrusted = false, decide }: Reading = {}) => {
    const turn = { id: `turn_${++turns}`, conversationId: untrusted ? 'conv_web' : `conv_${turns}`, project };
    const plain = await testScope({ store: app.store, turn, now: () => new Date(), ...(decide && { decide }) });
    const scope = { ...plain, labels: await conversations.labels(turn.conversationId) };
    await scope.labels.read({ untrusted, private: false }, 'a page');
    return { result: await app.tools.toolbox.call(name, input, scope), scope };
  };
  const file = join(home, 'memory.md');
  const own = join(app.knowledge.projects.folder(project), 'memory.md');
  const read = (path = file) => (existsSync(path) ? readFileSync(path, 'utf8') : '');
  const prompt = async (text: string) => (await app.knowledge.memory.forPrompt({ text, project })).lines;
  return { ...commands, call, file, own, read, prompt };
}

describe('a fact', () => {
  test('is kept with its turn, found, replaced by its contradiction, and brought back by undo', async () => {
    const { call, read, app } = await scene();
    await call('remember', { text: 'I live in Galway' });
    expect(read()).toMatch(/^# Memory\n\n- \[\d{4}-\d\d-\d\d turn_1\] I live in Galway\n$/u);
    expect((await call('search_memory', { query: 'where is my home?' })).result).toMatchObject({
      value: [{ text: 'I live in Galway', date: new Date().toISOString().slice(0, 10) }],
    });
    const { result } = await call('remember', { text: 'I moved to Cork' });
    expect(result).toMatchObject({ ok: true, value: { replaced: ['I live in Galway'], known: false } });
    expect(read()).not.toContain('Galway');
    expect(await app.tools.undo.newest('home')).toMatchObject({ outcome: 'undone', tool: 'remember' });
    expect(read()).toContain('Galway');
    expect((await call('forget_memory', { text: 'galway' })).result).toMatchObject({
      value: { forgotten: ['I live in Galway'] },
    });
    await app.tools.undo.newest('home');
    expect(read()).toContain('turn_1] I live in Galway');
  });

  test('told twice stands once; a secret and what is no fact are refused', async () => {
    const { call, read } = await scene();
    await call('remember', { text: 'I like tea' });
    expect((await call('remember', { text: 'i LIKE tea.' })).result).toMatchObject({ value: { known: true } });
    const key = `sk-proj-${'a1B2'.repeat(12)}`;
    expect((await call('remember', { text: `my key is ${key}` })).result).toMatchObject({ ok: false });
    expect((await call('remember', { text: 'x'.repeat(301) })).result).toMatchObject({ reason: 'invalid_input' });
    expect(read().match(/^- /gmu)).toHaveLength(1);
    expect(read()).not.toContain(key);
  });

  test('of which several fit is not forgotten by those words', async () => {
    const { call, read } = await scene();
    await call('remember', { text: 'I like green tea' });
    await call('remember', { text: 'I like black tea' });
    const { result } = await call('forget_memory', { text: 'tea' });
    expect(result).toMatchObject({ value: { forgotten: [], matches: ['I like green tea', 'I like black tea'] } });
    expect(read().match(/^- /gmu)).toHaveLength(2);
  });
});

describe('a conversation that has read untrusted content', () => {
  /** Every operation that could change the file. */
  const WRITES: readonly (readonly [string, Record<string, unknown>])[] = [
    ['remember', { text: 'My bank is Evil Ltd' }],
    ['remember', { text: 'My bank is Evil Ltd', project: true }],
    ['forget_memory', { text: 'I live in Galway' }],
    ['write_file', { path: 'memory.md', content: '- My bank is Evil Ltd' }],
    ['write_file', { path: './Memory.md', content: '- My bank is Evil Ltd' }],
    ['edit_file', { path: 'memory.md', old: 'oats', new: 'Evil' }],
    ['delete_file', { path: 'memory.md' }],
    ['move_file', { from: 'notes.md', to: 'memory.md' }],
    ['move_file', { from: 'memory.md', to: 'old.md' }],
  ];

  test('changes nothing without the owner: each change becomes a proposal', async () => {
    const { call, read, own, app } = await scene('trip');
    await call('remember', { text: 'I live in Galway' });
    await call('remember', { text: 'The trip is paid with oats', project: true });
    await call('write_file', { path: 'notes.md', content: 'My bank is Evil Ltd' });
    const before = [read(), read(own)];
    for (const [name, input] of WRITES) {
      const { result } = await call(name, input, { untrusted: true });
      expect(result.ok, `${name} ${JSON.stringify(input)}`).toBe(false);
      expect([read(), read(own)], name).toEqual(before);
    }
    const proposed = (await app.tools.proposals.list()).filter(
      ({ tool }) => tool === 'remember' || tool === 'forget_memory',
    );
    expect(proposed.map(({ diff }) => diff).join('\n')).toMatch(/My bank is Evil Ltd[\s\S]*- .*I live in Galway/u);
    const approver = { by: 'you', signal: new AbortController().signal };
    const outcomes: string[] = [];
    for (const { id } of proposed) {
      const first = await app.tools.approve(id, approver);
      outcomes.push(first.outcome);
      // The file has a fact more by now than when it was shown.
      if (first.outcome === 'changed')
        expect(await app.tools.approve(first.proposal.id, approver)).toMatchObject({ outcome: 'ran' });
    }
    expect(outcomes).toEqual(['ran', 'ran', 'changed']);
    // An approval lets it be kept; the text stays what it is.
    expect(read()).toMatch(/^- \[\S+ turn_4 outside\] My bank is Evil Ltd$/mu);
    expect(read()).not.toContain('Galway');
    expect((await app.knowledge.memory.forPrompt({ text: 'my bank?', project: 'trip' })).lines.join()).not.toContain(
      'Evil Ltd',
    );
  });

  test('shows the fact where it waits for approval, and the list says what it became', async () => {
    const { call, run } = await scene();
    await call('remember', { text: 'My bank is\nEvil Ltd' }, { untrusted: true });
    const { lines, rows } = await run(['approvals']);
    expect(lines[0]).toMatch(/waiting {2}remember "My bank is Evil Ltd" {2}\(/u);
    await run(['approve', (rows[0] as { id: string }).id]);
    expect((await run(['memory'])).rows).toMatchObject([{ text: 'My bank is Evil Ltd', used: false }]);
  });

  test('keeps what nobody saw (--yes) as from outside: in no prompt, and untrusted when it is found', async () => {
    const { call, read, file, prompt, run } = await scene();
    await call('remember', { text: 'The hotel opens at 15:00' }, { untrusted: true, decide: AGREED_UNSEEN });
    expect(read()).toMatch(/turn_1 outside\] The hotel opens/u);
    expect(await prompt('when does the hotel open?')).toEqual([]);
    const { rows, notes } = await run(['memory']);
    expect([rows, notes]).toMatchObject([[{ used: false }], [expect.stringContaining('in no prompt')]]);
    const found = await call('search_memory', { query: 'hotel' });
    expect(found.result).toMatchObject({ value: [{ text: 'The hotel opens at 15:00', outside: true }] });
    expect(found.scope.labels.untrusted).toBe(true);
    // The owner accepts it.
    writeFileSync(file, read().replace(' outside', ''));
    expect(await prompt('when does the hotel open?')).toHaveLength(2);
    expect((await call('search_memory', { query: 'hotel' })).scope.labels.untrusted).toBe(false);
  });
});

describe('a prompt', () => {
  test('tells the most relevant facts first, in four hundred tokens over both files', async () => {
    const { own, file, prompt } = await scene();
    const lines = FACTS.map(([fact]) => `- ${fact}\n`);
    writeFileSync(file, lines.slice(0, 30).join(''));
    mkdirSync(dirname(own), { recursive: true });
    writeFileSync(own, lines.slice(30).join(''));
    const told = await prompt('Who is my dentist, and where does my mother live?');
    expect(estimateTokens(told.join('\n'))).toBeLessThanOrEqual(PROMPT_TOKENS);
    expect(told.slice(1, 3).toSorted()).toEqual(['- my dentist is Dr Flannery', '- my mother lives in Ennis']);
    expect(told.at(-1)).toMatch(/^\(\d+ more: search_memory\)$/u);
    writeFileSync(own, '');
    writeFileSync(file, '- tea\n');
    expect(await prompt('?')).toHaveLength(2);
  });

  test('says nothing of a file that somebody else may have written', async () => {
    const { app, file, prompt, run } = await scene();
    writeFileSync(file, '- I live in Galway\n');
    await app.knowledge.origins.files.declare(file, { untrusted: true, folder: false });
    expect(await prompt('where do I live?')).toEqual([]);
    expect((await run(['memory'])).notes.join()).toMatch(/memory\.md is not used: .*wooster trust/u);
  });
});

describe('a project', () => {
  test('may switch its memory off, which neither tells nor keeps anything then', async () => {
    const { call, prompt, run, app } = await scene('work');
    await call('remember', { text: 'I live in Galway' });
    await run(['memory', 'off']);
    expect(await prompt('where do I live?')).toEqual([]);
    expect((await call('remember', { text: 'I like tea' })).result).toMatchObject({ ok: false });
    const offered = await app.tools.toolbox.offered({ ...(await testScope()).turn, project: 'work' });
    expect(offered.map(({ name }) => name).filter((name) => /memory|remember/u.test(name))).toEqual([]);
    await run(['memory', 'on']);
    expect(await prompt('where do I live?')).toHaveLength(2);
    writeFileSync(join(app.knowledge.projects.folder('work'), 'wooster.config.json'), '{ "memory": fal');
    expect(await prompt('where do I live?')).toEqual([]);
  });

  test('does not hide what its owner said behind what came from outside', async () => {
    const { call, own, prompt } = await scene('trip');
    await call('remember', { text: 'I live in Galway' });
    const evil = { untrusted: true, decide: AGREED_UNSEEN };
    await call('remember', { text: 'I live in Evilville', project: true }, evil);
    expect(readFileSync(own, 'utf8')).toContain('outside] I live in Evilville');
    expect((await prompt('where do I live?')).slice(1)).toEqual(['- I live in Galway']);
  });

  test('is right where it contradicts what is true everywhere else, until something newer is said', async () => {
    const { call, app, own, read, prompt, run } = await scene('trip');
    await call('remember', { text: 'I live in Galway' });
    await call('remember', { text: 'I live in Lisbon', project: true });
    expect((await prompt('where do I live?')).slice(1)).toEqual(['- I live in Lisbon']);
    expect((await app.knowledge.memory.forPrompt({ text: 'where?', project: 'home' })).lines.slice(1)).toEqual([
      '- I live in Galway',
    ]);
    expect((await run(['memory'])).rows).toMatchObject([{ used: false }, { used: true }]);
    const { result } = await call('remember', { text: 'I moved to Cork' });
    expect(result).toMatchObject({ value: { replaced: ['I live in Galway', 'I live in Lisbon'] } });
    expect((await prompt('where do I live?')).slice(1)).toEqual(['- I moved to Cork']);
    await app.tools.undo.newest('trip');
    expect([read(), read(own)]).toEqual([expect.stringContaining('Galway'), expect.stringContaining('Lisbon')]);
  });

  test('that is local only keeps its facts to itself', async () => {
    const { call, app, own, read } = await scene('clinic');
    writeFileSync(join(app.knowledge.projects.folder('clinic'), 'wooster.config.json'), '{ "localOnly": true }');
    await call('remember', { text: 'My diagnosis is gout' });
    expect([read(), read(own)]).toEqual(['', expect.stringContaining('gout')]);
    expect(await app.knowledge.memory.search('gout', 'home')).toEqual([]);
  });

  test('whose journal has the name of the file keeps its journal, and has no memory of its own', async () => {
    const { call, own, read } = await scene('memory');
    await call('write_note', { text: 'a quiet day' });
    await call('remember', { text: 'I live in Galway', project: true });
    expect(read(own)).not.toContain('Galway');
    expect(read()).toContain('Galway');
  });
});

describe('a file edited to nonsense', () => {
  test.each([
    ['bytes that are no text', Buffer.from([0xff, 0xfe, 0x00, 0x41, 0x0a])],
    ['a megabyte in one line', Buffer.from('x'.repeat(1_000_000))],
    ['prose and code', Buffer.from('Hello\n```js\nwhile (true) {}\n```\n- [2026-99-99 x y z] ???\n')],
  ])('%s: turns go on, the file is named and not damaged', async (_name, content) => {
    const { call, file, run, say, app } = await scene();
    writeFileSync(file, content);
    expect((await say('what is 2+2?')).stop).toBe('answered');
    expect((await run(['memory'])).notes.join('\n')).toContain('memory.md');
    const checked = await app.home.check();
    expect(checked.find(({ name, state }) => name === 'memory' && state === 'warn')?.detail).toContain('memory.md');
    await call('remember', { text: 'I like tea' });
    expect(readFileSync(file).subarray(0, content.length)).toEqual(content);
  });

  test('a link to another file is not followed', async () => {
    const { home, file, run, call } = await scene();
    const { symlinkSync } = await import('node:fs');
    writeFileSync(join(home, 'secret.txt'), '- my pin is 1234\n');
    symlinkSync(join(home, 'secret.txt'), file);
    expect((await run(['memory'])).notes.join()).toContain('symbolic link');
    expect((await call('remember', { text: 'I like tea' })).result).toMatchObject({ ok: false });
    expect(readFileSync(join(home, 'secret.txt'), 'utf8')).toBe('- my pin is 1234\n');
  });

  test('is not said to hold no such fact', async () => {
    const { call, file } = await scene();
    writeFileSync(file, Buffer.from([0x2d, 0x20, 0xff, 0xfe, 0x0a]));
    const { result } = await call('forget_memory', { text: 'Galway' });
    const error = expect.stringContaining('Nothing was forgotten: memory.md is not used');
    expect(result).toMatchObject({ ok: false, error });
  });
});

describe('with the projects elsewhere', () => {
  test('memory and skills lie beside them, where every machine finds them, and none is a project', async () => {
    const projects = temporaryFolder();
    const config = { folders: { projects } };
    const first = await openCommands({ config });
    expect((await first.run(['memory', 'add', 'I live in Galway'])).code).toBe(0);
    expect(existsSync(join(first.home, 'memory.md'))).toBe(false);
    mkdirSync(join(projects, 'skills', 'tea'), { recursive: true });
    writeFileSync(
      join(projects, 'skills', 'tea', 'SKILL.md'),
      '---\nname: tea\ndescription: How to make tea.\n---\nWarm the pot.\n',
    );
    const second = await openCommands({ config });
    const { rows } = await second.run(['memory', 'list']);
    expect(rows).toMatchObject([{ file: 'projects/memory.md', text: 'I live in Galway' }]);
    expect(await second.app.knowledge.skills.find('tea', 'home')).toMatchObject({ place: 'home', state: 'off' });
    expect(second.app.knowledge.projects.list()).toEqual(['home']);
    mkdirSync(join(projects, 'programs'));
    expect(second.app.knowledge.projects.list()).toEqual(['home']);
    expect(() => second.app.knowledge.projects.create('Skills')).toThrow(
      expect.objectContaining({ code: 'bad_usage' }),
    );
    expect(await first.app.tools.undo.newest('home')).toMatchObject({ outcome: 'undone' });
    expect((await second.run(['memory', 'list'])).rows).toEqual([]);
    writeFileSync(join(second.home, 'memory.md'), '# Memory\n\n- I like tea\n');
    expect((await second.run(['memory', 'list'])).notes.join()).toContain(`move it to ${projects}`);
  });
});
