import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LLMock } from '@copilotkit/aimock';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MODES, type Mode } from './base/turn.ts';
import { temporaryFolder } from './testing/home.ts';
import { webServer } from './testing/web-server.ts';
import { rows, wooster, woosterOnTerminal } from './testing/wooster.ts';

/** The five tasks that a new mode was to be tried on, against stand-ins for the model, the search and Signal. */

interface Task {
  readonly ask: string;
  /** In classic mode: the call, and the reply after its result. */
  readonly tool: { readonly name: string; readonly args: unknown; readonly answer: string };
  /** In code mode. */
  readonly script: string;
}

const TASKS: Readonly<Record<string, Task>> = {
  search: {
    ask: 'search the web for oslo trams and summarize in 3 bullets; include 1 link.',
    tool: {
      name: 'web_search',
      args: { query: 'oslo trams' },
      answer: '- Blue\n- Electric\n- Old\nhttps://example.org/trams',
    },
    script:
      "const { results } = webSearch('oslo trams');\nfinalAnswer(results[0].snippet.split(', ').map((p) => '- ' + p).join('\\n') + '\\n' + results[0].url);",
  },
  documents: {
    ask: 'from our project notes, what mentions the boiler? cite briefly.',
    tool: { name: 'query_rag', args: { query: 'boiler' }, answer: 'Serviced by Nordvarme [house.md, lines 1-3].' },
    script: "const found = await queryRAG('boiler');\nfinalAnswer(found.answer + ' ' + found.passages[0].citation);",
  },
  note: {
    ask: "append '- [ ] follow up on Z' to today's notes.",
    tool: { name: 'write_note', args: { text: '- [ ] follow up on Z' }, answer: 'Noted.' },
    script: "writeNote('- [ ] follow up on Z');\nfinalAnswer('Noted.');",
  },
  schedule: {
    ask: "schedule 'Check weather' tomorrow 8am.",
    tool: { name: 'schedule', args: { when: 'tomorrow 8am', text: 'Check weather' }, answer: 'Planned.' },
    script: "await schedule('tomorrow 8am', 'Check weather');\nfinalAnswer('Planned.');",
  },
  signal: {
    ask: "send a Signal notification 'Done with test'.",
    tool: { name: 'signal_notify', args: { text: 'Done with test' }, answer: 'Sent.' },
    script: "signalNotify('Done with test').then(() => finalAnswer('Sent.'));",
  },
};

const model = new LLMock({ port: 0 });
beforeAll(async () => {
  for (const { ask, tool, script } of Object.values(TASKS)) {
    const userMessage = ask.slice(0, 30);
    const code = { content: `\`\`\`js\n${script}\n\`\`\`` };
    const call = { toolCalls: [{ name: tool.name, arguments: JSON.stringify(tool.args) }] };
    model.on({ userMessage, model: 'coder' }, code);
    model.on({ userMessage, model: 'caller', hasToolResult: false }, call);
    model.on({ userMessage, model: 'caller', hasToolResult: true }, { content: tool.answer });
  }
  await model.start();
});
afterAll(() => model.stop());

function signalCli(home: string): string {
  const path = join(home, 'signal-cli');
  writeFileSync(path, `#!/bin/sh\nprintf '%s\\n' "$@" > ${join(home, 'sent')}\necho 1700000000000\n`);
  chmodSync(path, 0o755);
  return path;
}

async function play(name: string, mode: Mode) {
  const home = temporaryFolder();
  const found = {
    results: [{ title: 'Trams', url: 'https://example.org/trams', content: 'Blue, Electric, Old', score: 1 }],
  };
  const search = await webServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(found));
  });
  mkdirSync(join(home, 'papers'));
  writeFileSync(join(home, 'papers', 'house.md'), '# House\n\nThe boiler was serviced by Nordvarme on 12 March.\n');
  const env = {
    OPENAI_API_KEY: 'test',
    OPENAI_BASE_URL: `${model.url}/v1`,
    OPENAI_MODEL_NAME: mode === 'code_agent' ? 'coder' : 'caller',
    SEARXNG_BASE_URL: search.origin,
    SIGNAL_CLI_PATH: signalCli(home),
    SIGNAL_CLI_NUMBER: '+4915100000000',
  };
  if (name === 'documents') await wooster(['ingest', 'papers'], { home, env });
  const ran = await wooster(['ask', TASKS[name]?.ask ?? '', '--mode', mode, '--json'], { home, env });
  const events = rows(ran.stdout);
  const answer = String(events.find(({ type }) => type === 'answer')?.text);
  return { home, env, ran, events, answer, searched: search.received };
}

describe.each(MODES)('the validation tasks in %s', (mode) => {
  test('a search of the web, in three points with a link', async () => {
    const { ran, answer, searched } = await play('search', mode);
    expect(ran.code, ran.stdout + ran.stderr).toBe(0);
    expect(answer).toBe('- Blue\n- Electric\n- Old\nhttps://example.org/trams');
    expect(searched).toHaveLength(1);
  });

  test('a question to the documents, cited', async () => {
    const { answer, events } = await play('documents', mode);
    expect(answer).toMatch(/Nordvarme.*\[house\.md, lines? \d/u);
    expect(events).toContainEqual(expect.objectContaining({ type: 'tool', name: 'query_rag', ok: true }));
  });

  test('a note is appended', async () => {
    const { home, answer } = await play('note', mode);
    expect(answer).toBe('Noted.');
    expect(readFileSync(join(home, 'projects/home/home.md'), 'utf8')).toContain('- [ ] follow up on Z');
  });

  test.runIf(mode === 'code_agent')(
    'the recorded scripts of a turn give the same again, and nothing is done',
    async () => {
      const { home, env, events } = await play('note', mode);
      const turnId = String(events.find(({ type }) => type === 'turn')?.id);
      const before = readFileSync(join(home, 'projects/home/home.md'), 'utf8');
      const again = await wooster(['replay', turnId, '--json'], { home, env });
      expect(again.code, again.stderr).toBe(0);
      expect(rows(again.stdout)).toEqual([{ script: 1, calls: 2, differences: [] }]);
      expect(readFileSync(join(home, 'projects/home/home.md'), 'utf8')).toBe(before);
      const used = rows((await wooster(['usage', '--modes', '--json'], { home, env })).stdout);
      expect(used).toMatchObject([
        { mode: 'code_agent', turns: 1, replies: 1, cleanReplies: 1, retries: 0, fallbacks: 0 },
      ]);
      const unknown = await wooster(['replay', 'turn_none'], { home, env });
      expect(unknown).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('There is no trace of turn "turn_none".'),
      });
    },
  );

  test('a task is scheduled', async () => {
    const { home, env, answer } = await play('schedule', mode);
    expect(answer).toBe('Planned.');
    const jobs = rows((await wooster(['schedule', 'list', '--json'], { home, env })).stdout);
    expect(jobs).toMatchObject([{ prompt: 'Check weather' }]);
  });

  test('a Signal message is sent, once', async () => {
    const { home, answer, events } = await play('signal', mode);
    expect(answer).toBe('Sent.');
    expect(readFileSync(join(home, 'sent'), 'utf8')).toContain('Done with test');
    expect(events.filter(({ type, name }) => type === 'tool' && name === 'signal_notify')).toHaveLength(1);
  });
});

test('at the prompt scripts can be shown, and may fail more often', async () => {
  const terminal = woosterOnTerminal([], { home: temporaryFolder() });
  await terminal.see('> ');
  terminal.type('/code log on\r');
  await terminal.see('Scripts and their logs are shown.');
  terminal.type('code attempts 3\r');
  await terminal.see('After 3 failed scripts');
  terminal.type('/code attempts 0\r');
  await terminal.see('a number from 1 to 20');
  terminal.type('/quit\r');
  expect(await terminal.ended()).toBe(0);
});
