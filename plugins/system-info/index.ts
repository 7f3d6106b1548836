import { statfs } from 'node:fs/promises';
import { arch, cpus, freemem, hostname, loadavg, release, totalmem, type, uptime } from 'node:os';
import { definePlugin, defineTool, z } from '#plugin';
import card from './plugin.json' with { type: 'json' };

const GIB = 1024 ** 3;

export default definePlugin({
  name: 'system-info',
  version: '1.0.0',
  description: card.description,

  hosts: [],
  effects: [],
  state: { home: '' },

  initialize(host) {
    this.state.home = String(host.config.home);
  },

  getAgentTools() {
    const { home } = this.state;
    return [
      defineTool({
        name: 'system_info',
        description: 'Say how this computer is doing: free disk and memory in GiB, load, uptime, system and versions.',
        input: z.object({}),
        policy: { effect: 'none' },
        provenance: { readsFrom: ['machine'] },
        timeoutMs: 5000,
        execute: async () => {
          const disk = await statfs(home);
          return {
            system: `${type()} ${release()} ${arch()}`,
            host: hostname(),
            node: process.version,
            processors: cpus().length,
            load: loadavg().map((load) => Number(load.toFixed(2))),
            memory: { free: gib(freemem()), total: gib(totalmem()) },
            disk: { free: gib(disk.bavail * disk.bsize), total: gib(disk.blocks * disk.bsize), of: home },
            upHours: Number((uptime() / 3600).toFixed(1)),
          };
        },
      }),
    ];
  },
});

function gib(bytes: number): number {
  return Number((bytes / GIB).toFixed(1));
}
