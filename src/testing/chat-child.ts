import { appendFileSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { join } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import type { BaseMessage } from '@langchain/core/messages';
import { createApp } from '../app.ts';
import { doorCommands } from '../repl/door-commands.ts';
import { loadSettings } from '../settings/settings.ts';
import { type Scripted, ScriptedModel } from './scripted-model.ts';
import { keepTool } from './tools.ts';

/**
 * A program that answers the chats of a home and dies by SIGKILL at one of its writes: `node chat-child.ts HOME WRITE`;
 * 0: at none. What its tool keeps is a line in `kept` of the home.
 */
const [home = '', write = '0'] = process.argv.slice(2);
const WRITES = /^\s*(?:with\b.*?\b)?(?:insert|update|delete|begin|commit)\b/isu;
let [writes, counting] = [0, false];

function count(sql: string): void {
  if (!counting || !WRITES.test(sql) || ++writes !== Number(write)) return;
  process.kill(process.pid, 'SIGKILL');
  // The signal is delivered a moment later; nothing may happen in between.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}

const { prepare, exec } = DatabaseSync.prototype;
DatabaseSync.prototype.exec = function counted(sql) {
  count(sql);
  return exec.call(this, sql);
};
DatabaseSync.prototype.prepare = function counted(sql, ...more) {
  const statement = prepare.call(this, sql, ...more);
  for (const method of ['run', 'all', 'get', 'iterate'] as const) {
    const original = statement[method] as (...values: unknown[]) => unknown;
    Object.assign(statement, {
      [method]: (...values: unknown[]) => {
        count(sql);
        return original.apply(statement satisfies StatementSync, values);
      },
    });
  }
  return statement;
};

/** It keeps what it was asked to keep since its last answer, one after the other, then says so. */
const reply: Scripted = (messages: readonly BaseMessage[]) => {
  const since = messages.slice(
    messages.findLastIndex((each) => each.type === 'ai' && /^kept/u.test(String(each.content))) + 1,
  );
  const asked = since.flatMap((each) =>
    each.type === 'human' ? [...String(each.content).matchAll(/keep (\d+)/gu)] : [],
  );
  const numbers = [...new Set(asked.map(([, number = '']) => number))];
  const kept = since.flatMap((each) =>
    'tool_calls' in each ? (each.tool_calls as { args: { text?: string } }[]) : [],
  );
  const next = numbers.find((number) => !kept.some(({ args }) => args.text === number));
  if (next === undefined) return numbers.map((number) => `kept ${number}`).join(', ');
  return { toolCalls: [{ name: 'keep', args: { text: next } }] };
};

const app = await createApp(
  loadSettings(home, process.env, { alone: true }),
  { announce: () => {}, verbose: false },
  { tools: [keepTool((text) => appendFileSync(join(home, 'kept'), `${text}\n`))] },
);
app.models.registerProvider('scripted', async () => new ScriptedModel(Array.from({ length: 1000 }, () => reply)));
// The next program starts sooner, and this one will have no time for it.
flushCompileCache();
counting = true;
await app.start('server');
await app.doors.openChats({ commands: doorCommands(app), mode: 'classic_tools', project: 'home' });
// Until it is killed.
await new Promise<void>((resolve) => process.stdin.on('close', resolve).resume());
await app.close();
