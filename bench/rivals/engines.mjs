/**
 * The other engines. This file is copied beside their packages, which the product does not have. Each is
 * `{ run(source) }`, gives the value of the program and throws what it ends with. In a program `$call(wait)` calls a tool
 * that takes 5 ms, `$call(hang)` one that never answers, and `$return` gives the value.
 */
import { setTimeout as delay } from 'node:timers/promises';

const LIMIT_MS = 1500;
const MEMORY_MB = 128;
const TOOLS = { now: async () => 1, wait: () => delay(5, 1), hang: () => new Promise(() => {}) };

const native = (source, call, give) =>
  source.replaceAll(/\$call\((\w+)\)/gu, (_, name) => call(name)).replaceAll('$return ', give);

export const ENGINES = {
  '@tanstack/ai-isolate-node': async () => {
    const { createNodeIsolateDriver } = await import('@tanstack/ai-isolate-node');
    const driver = createNodeIsolateDriver({ memoryLimit: MEMORY_MB, timeout: LIMIT_MS });
    const bindings = Object.fromEntries(
      Object.entries(TOOLS).map(([name, execute]) => [name, { name, description: '', inputSchema: {}, execute }]),
    );
    return {
      run: async (source) => {
        const context = await driver.createContext({ bindings });
        try {
          const { success, value, error } = await context.execute(native(source, (name) => `${name}({})`, 'return '));
          if (!success) throw new Error(error?.message);
          return value;
        } finally {
          await context.dispose();
        }
      },
    };
  },
  '@utcp/code-mode': async () => {
    const { CodeModeUtcpClient } = await import('@utcp/code-mode');
    const client = await CodeModeUtcpClient.create();
    const tools = Object.keys(TOOLS).map((name) => ({
      name: `bench.${name}`,
      description: '',
      inputs: {},
      outputs: {},
      tags: [],
    }));
    client.getTools = async () => tools;
    client.callTool = (name) => TOOLS[name.split('.')[1]]();
    return {
      run: async (source) => {
        const code = native(source, (name) => `bench.${name}({})`, 'return ');
        const { result, logs } = await client.callToolChain(code, LIMIT_MS, MEMORY_MB);
        // A failure is told as null and a line of the log.
        if (result === null) throw new Error(logs.at(-1));
        return result;
      },
    };
  },
  '@langchain/quickjs': async () => {
    const { ReplSession } = await import('@langchain/quickjs');
    const { tool } = await import('@langchain/core/tools');
    const { z } = await import('zod');
    const tools = Object.entries(TOOLS).map(([name, execute]) =>
      tool(async () => String(await execute()), { name, description: name, schema: z.object({}) }),
    );
    let sessions = 0;
    return {
      run: async (source) => {
        const session = new ReplSession(`bench-${++sessions}`, {
          tools,
          maxPtcCalls: null,
          memoryLimitBytes: MEMORY_MB * 2 ** 20,
        });
        try {
          const { ok, value, error } = await session.eval(
            native(source, (name) => `tools.${name}({})`, ''),
            LIMIT_MS,
          );
          if (!ok) throw new Error(error?.message);
          return value;
        } finally {
          session.dispose();
        }
      },
    };
  },
  'quickjs-emscripten': async () => {
    const { getQuickJS, shouldInterruptAfterDeadline } = await import('quickjs-emscripten');
    const engine = await getQuickJS();
    return { run: (source) => runInQuickJs(engine, shouldInterruptAfterDeadline, source) };
  },
};

/** As its manual does it: promises for the tools, and the jobs run whenever one of them is settled. */
async function runInQuickJs(engine, interruptAfter, source) {
  const runtime = engine.newRuntime();
  runtime.setMemoryLimit(MEMORY_MB * 2 ** 20);
  runtime.setInterruptHandler(interruptAfter(Date.now() + LIMIT_MS));
  const context = runtime.newContext();
  try {
    for (const [name, execute] of Object.entries(TOOLS)) {
      const made = context.newFunction(name, () => {
        const promise = context.newPromise();
        execute().then(() => context.alive && promise.resolve(context.newNumber(1)));
        promise.settled.then(() => context.alive && runtime.executePendingJobs());
        return promise.handle;
      });
      context.setProp(context.global, name, made);
      made.dispose();
    }
    const body = native(source, (name) => `${name}()`, 'return ');
    const promise = context.unwrapResult(context.evalCode(`(async () => {${body}})()`));
    const settled = context.resolvePromise(promise);
    promise.dispose();
    runtime.executePendingJobs();
    const late = new AbortController();
    const limit = delay(LIMIT_MS, undefined, { signal: late.signal }).then(
      () => Promise.reject(new Error('timeout')),
      () => undefined,
    );
    const handle = context.unwrapResult(await Promise.race([settled, limit]));
    late.abort();
    const value = context.dump(handle);
    handle.dispose();
    return value;
  } finally {
    // What still waits for a tool cannot be freed.
    try {
      context.dispose();
      runtime.dispose();
    } catch {}
  }
}
