import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Conversations } from '../conversation/conversations.ts';
import type { Store } from '../store/store.ts';
import { temporaryFolder } from '../testing/home.ts';
import { killAtWrite } from '../testing/kill-at-write.ts';
import { testFiles } from '../testing/project-files.ts';
import { testScope, testToolbox } from '../testing/scope.ts';
import { sqlRun } from '../testing/sql.ts';
import { openTestStore } from '../testing/stores.ts';
import { PLAIN_TOOL } from '../testing/tools.ts';
import { createFileTools } from '../tools/builtin/files.ts';
import { Proposals } from '../tools/gate/proposals.ts';
import { defineTool, type Tool } from '../tools/tool.ts';
import { ApprovedCalls } from './approved-calls.ts';

const NOW = new Date('2026-01-15T09:00:00.000Z');

function sendTool(sent: string[], send: () => void = () => {}): Tool {
  return defineTool({
    ...PLAIN_TOOL,
    name: 'send_mail',
    policy: {
      ...PLAIN_TOOL.policy,
      effect: 'outbound',
      recipient: () => ({ channel: 'mail', address: 'bob@home.example', own: false }),
    },
    execute: () => {
      send();
      sent.push('mail');
      return 'sent';
    },
  });
}

/** The part of a program that approves, on a store. */
async function program(store: Store, tools: readonly Tool[]) {
  const proposals = new Proposals({ store, now: () => NOW, ttlHours: 24 });
  const scope = await testScope({ store });
  const toolbox = testToolbox(tools, scope, { proposals });
  const approved = new ApprovedCalls({
    ...{ store, proposals, conversations: new Conversations(store), now: () => NOW, timeZone: 'UTC' },
    toolbox: () => toolbox,
  });
  const by = { by: 'wooster approve', signal: new AbortController().signal };
  return {
    proposals,
    propose: async (name: string, input: unknown) => {
      expect(await toolbox.call(name, input, scope)).toMatchObject({ ok: false, reason: 'denied' });
      return (await proposals.list())[0]?.id ?? '';
    },
    approve: (id: string) => approved.approve(id, by),
  };
}

/** As if the program that was at it were gone. */
const buryHolder = (store: Store) => sqlRun(store, "UPDATE proposals SET held_until = '2000-01-01T00:00:00.000Z'");

test('runs exactly what was proposed, once, and says so', async () => {
  const sent: string[] = [];
  const store = await openTestStore();
  const { propose, approve, proposals } = await program(store, [sendTool(sent)]);
  const id = await propose('send_mail', {});
  expect(sent).toEqual([]);
  expect(await approve(id)).toMatchObject({ outcome: 'ran', text: 'sent' });
  expect(await approve(id)).toMatchObject({ outcome: 'done' });
  expect(sent).toEqual(['mail']);
  expect(await proposals.get(id)).toMatchObject({ state: 'done', result: 'sent' });
});

test('of many programs at once, one runs it', async () => {
  const sent: string[] = [];
  const store = await openTestStore();
  const first = await program(store, [sendTool(sent)]);
  const id = await first.propose('send_mail', {});
  const others = await Promise.all(Array.from({ length: 5 }, () => program(store, [sendTool(sent)])));
  const outcomes = await Promise.all([first, ...others].map(async (each) => (await each.approve(id)).outcome));
  expect(outcomes.filter((outcome) => outcome === 'ran')).toHaveLength(1);
  expect(sent).toEqual(['mail']);
});

test('a call that fails is not tried again by itself, and a tool that is gone leaves it waiting', async () => {
  const store = await openTestStore();
  const fail = sendTool([], () => {
    throw new Error('no server');
  });
  const { propose, approve } = await program(store, [fail]);
  const id = await propose('send_mail', {});
  const without = await program(store, []);
  expect(await without.approve(id)).toMatchObject({ outcome: 'missing' });
  expect(await approve(id)).toMatchObject({ outcome: 'failed', text: expect.stringContaining('no server') });
  expect(await approve(id)).toMatchObject({ outcome: 'failed' });
});

test('a stored call that was changed is not the approved one', async () => {
  const sent: string[] = [];
  const store = await openTestStore();
  const { propose, approve } = await program(store, [
    defineTool({ ...sendTool(sent), input: PLAIN_TOOL.input.loose(), output: undefined } as never),
  ]);
  const id = await propose('send_mail', { text: 'hello' });
  await sqlRun(store, `UPDATE proposals SET input = '{"text":"other"}'`);
  expect(await approve(id)).toMatchObject({ outcome: 'failed' });
  expect(sent).toEqual([]);
});

describe('killed at any write of an approval', () => {
  /** Approves in a program that dies at its `at`-th write, then again in a new one, until it ends undisturbed. */
  async function walk(
    check: (again: Awaited<ReturnType<typeof program>>, id: string) => Promise<void>,
    tools: (store: Store) => Tool[],
    call: [string, unknown],
  ) {
    const dir = temporaryFolder();
    for (let at = 1, finished = false; !finished; at++) {
      const path = join(dir, `${at}.sqlite3`);
      const before = await openTestStore(path);
      const id = await (await program(before, tools(before))).propose(...call);
      await before.close();
      const first = await killAtWrite(path, at);
      await (await program(first.store, tools(first.store))).approve(id).catch(() => undefined);
      finished = first.writes() < at;
      await first.die();
      const store = await openTestStore(path);
      await buryHolder(store);
      await check(await program(store, tools(store)), id);
      await store.close();
    }
  }

  test('a mail goes out at most once; if nobody knows, it says so', async () => {
    let sent: string[] = [];
    await walk(
      async (again, id) => {
        const { outcome } = await again.approve(id);
        const knows = ['ran', 'done'].includes(outcome);
        expect(sent.length, outcome).toBe(knows ? 1 : Math.min(sent.length, 1));
        if (!knows) expect(outcome).toBe('unknown');
        sent = [];
      },
      () => [sendTool(sent)],
      ['send_mail', {}],
    );
  });

  test('a control file is written, whole, and the approval ends as done', async () => {
    const dir = temporaryFolder();
    await walk(
      async (again, id) => {
        const { outcome } = await again.approve(id);
        expect(['ran', 'done']).toContain(outcome);
        expect(await again.proposals.get(id)).toMatchObject({ state: 'done' });
        expect(readFileSync(join(dir, 'home/prompt.txt'), 'utf8')).toBe('Speak like a sailor.');
      },
      (store) => createFileTools(() => testFiles(store, (project) => join(dir, project))),
      ['write_file', { path: 'prompt.txt', content: 'Speak like a sailor.' }],
    );
  });
});
