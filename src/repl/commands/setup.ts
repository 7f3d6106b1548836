import type { Command } from '../command.ts';
import { SetupCancelled } from '../setup/asker.ts';
import { openAsker } from '../setup/open-asker.ts';
import { runSetup } from '../setup/run-setup.ts';

/**
 * Asks its questions on a terminal; without one, the flags answer them. Nothing is written before the last answer.
 * Rows: `{provider, model, variables}`, then those of `ingest` and `notify`, and `{programs}`
 * with those that were installed.
 */
export const setup: Command = {
  name: 'setup',
  summary: 'Choose a model, and make a first project of your documents',
  group: 'Maintenance',
  usage: [
    'setup',
    'setup --provider PROVIDER [--model M] [--key-stdin]      the key: from its variable, or standard input',
    'setup --provider server --url URL [--model M] [--key-stdin]',
    'setup --provider local [--model NAME|FILE] --yes      a model that is fetched and runs on this machine',
    'setup ... [--folder FOLDER] [--project NAME] [--test-channel] [--programs]',
  ],
  examples: ['setup', 'setup --provider builtin --folder ~/Documents --project papers'],
  basic: true,
  flags: {
    provider: { type: 'string' },
    url: { type: 'string' },
    model: { type: 'string' },
    'key-stdin': { type: 'boolean' },
    folder: { type: 'string' },
    'test-channel': { type: 'boolean' },
    programs: { type: 'boolean' },
  },
  only: 'argv',
  async run(call) {
    try {
      const key = call.flags['key-stdin'] === true ? await keyOnInput() : undefined;
      return await runSetup(call, await openAsker(call, key !== undefined || call.flags.provider !== undefined), key);
    } catch (error) {
      if (!(error instanceof SetupCancelled) && !call.signal.aborted) throw error;
      call.out.note('Stopped. Nothing was changed.');
      return 130;
    }
  },
};

async function keyOnInput(): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of process.stdin) parts.push(Buffer.from(part as Uint8Array));
  return Buffer.concat(parts).toString('utf8').trim();
}
