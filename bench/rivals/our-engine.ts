/** Our sandbox in the form of `engines.mjs`. */
import { setTimeout as delay } from 'node:timers/promises';
import { silentLog } from '../../src/base/log.ts';
import type { HostFunction } from '../../src/sandbox/contract.ts';
import { createSandbox } from '../../src/sandbox/sandbox.ts';

const LIMITS = { timeoutMs: 1500, cpuMs: 1500, memoryMb: 128, maxCalls: 2000 };
const functions: HostFunction[] = ['now', 'wait', 'hang'].map((name) => ({ name, kind: 'value', tool: true }));

async function call(name: string) {
  if (name === 'hang') await new Promise(() => {});
  if (name === 'wait') await delay(5);
  return { ok: true as const, value: 1 };
}

export const ENGINES = {
  ours: async () => {
    const sandbox = createSandbox({ log: silentLog, poolSize: 1 });
    return {
      run: async (source: string) => {
        const code = source.replaceAll(/\$call\((\w+)\)/gu, '$1({})').replaceAll('$return ', '');
        const { signal } = new AbortController();
        const { value, failed } = await sandbox.run(code, {
          functions,
          bridge: { call, log() {} },
          signal,
          limits: LIMITS,
        });
        if (failed) throw new Error(`${failed.reason}: ${failed.message}`);
        return value;
      },
    };
  },
};
