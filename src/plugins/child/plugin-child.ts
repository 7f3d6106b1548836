import { createInterface } from 'node:readline';
import { messageOf } from '../../base/errors.ts';
import { isRecord, parseJson } from '../../base/json.ts';
import type { Log } from '../../base/log.ts';
import { Redactor } from '../../base/redact.ts';
import { createGateway } from '../../net/gateway.ts';
import { manifestIn, openPlugin, resolvePluginImports } from '../open-plugin.ts';
import { type Running, startPlugin } from '../running.ts';
import { answerRequest } from './answer-request.ts';

/**
 * The process in which a third-party plugin runs: it speaks MCP over its standard streams. The program starts it
 * with the folders, variables and settings that its owner agreed to, and nothing else.
 *
 * Arguments: JSON with `root`, `entry`, `home`, `timeZone`, `config`.
 */
const given: unknown = parseJson(process.argv[2] ?? '');

const send = process.stdout.write.bind(process.stdout);
/** Standard output belongs to the protocol, so what the plugin prints goes to the log. */
process.stdout.write = process.stderr.write.bind(process.stderr);

const say = (message: string) => void process.stderr.write(`${message}\n`);
const log: Log = { debug: () => undefined, info: () => undefined, warn: say, error: say };

/** The text of a required field. */
function field(name: string): string {
  return isRecord(given) ? String(given[name] ?? '') : '';
}

async function start(): Promise<Running> {
  const imports = resolvePluginImports();
  imports.allow(field('root'));
  const plugin = await openPlugin({ entry: field('entry'), copy: undefined, services: new Map() });
  const refuse = (what: string) => () => {
    throw new TypeError(`${what} is not for plugins that run in a process of their own`);
  };
  return startPlugin(plugin, isRecord(given) && isRecord(given.config) ? given.config : {}, {
    ...{ homeDir: field('home'), timeZone: field('timeZone'), env: process.env, log, redactor: new Redactor() },
    gateway: createGateway({ allowPrivate: [], log }),
    grants: {
      addModule: refuse('addModule'),
      addFunction: refuse('addFunction'),
      registerProvider: refuse('registerProvider'),
      registerPricing: refuse('registerPricing'),
    },
    services: () => [],
    declared: manifestIn(field('root')),
  });
}

async function serve(): Promise<void> {
  const running = await start();
  const calls = new Map<unknown, AbortController>();
  const parts = { running, timeZone: field('timeZone'), log };
  for await (const line of createInterface({ input: process.stdin })) {
    const message = parseJson(line);
    if (!isRecord(message)) continue;
    const { id, method, params } = message;
    if (method === 'notifications/cancelled' && isRecord(params)) calls.get(params.requestId)?.abort();
    if (id === undefined || typeof method !== 'string') continue;
    const call = new AbortController();
    calls.set(id, call);
    void answerRequest(parts, { method, params }, call.signal)
      .then(
        (result) => ({ result }),
        (error: unknown) => ({ error: { code: -32_603, message: messageOf(error) } }),
      )
      .then((answer) => {
        calls.delete(id);
        send(`${JSON.stringify({ jsonrpc: '2.0', id, ...answer })}\n`);
      });
  }
  await running.stop();
}

await serve().catch((error: unknown) => {
  say(messageOf(error));
  process.exitCode = 1;
});
