import { messageOf } from '../../base/errors.ts';
import type { Check } from '../app.ts';
import type { Command, CommandCall } from '../command.ts';
import { liveChecks } from '../live-checks.ts';

const MARK = { ok: 'ok  ', warn: 'note', fail: 'FAIL' } as const;

/**
 * Rows: `{name, state, detail, hint?}`, state `ok`, `warn` or `fail`; exit code 1 when any check fails. With `--fix`,
 * what can be fixed is fixed first, one row `{name, fixed}` or `{name, problem}` each; the checks then run again.
 */
export const doctor: Command = {
  name: 'doctor',
  summary: 'Check that everything Wooster needs is working',
  group: 'Maintenance',
  usage: [
    'doctor',
    'doctor --live    also ask each configured model for a word, and send a line on each channel',
    'doctor --fix    repair what can be repaired without a decision of yours',
  ],
  examples: ['doctor', 'doctor --fix'],
  mends: true,
  flags: { fix: { type: 'boolean' }, live: { type: 'boolean' } },
  async run(call) {
    const { app, flags } = call;
    const found = await app.home.check();
    const mended = flags.fix === true && (await repaired(call, found)) ? await app.home.check() : found;
    const checks = flags.live === true ? [...mended, ...(await liveChecks(app))] : mended;
    for (const check of checks) show(call, check, flags.fix === true);
    return checks.some((check) => check.state === 'fail') ? 1 : 0;
  },
};

function show({ out }: CommandCall, { fix, ...check }: Check, tried: boolean): void {
  out.row({ ...check, ...(fix ? { fixable: true } : {}) });
  out.line(`${MARK[check.state]}  ${check.name.padEnd(12)} ${check.detail}`);
  if (check.hint !== undefined) out.line(`${' '.repeat(19)}${check.hint}`);
  if (fix && !tried) out.line(`${' '.repeat(19)}\`wooster doctor --fix\` does it.`);
}

/** A fix that fails is reported and does not keep the others from being tried. @returns whether there was any. */
async function repaired({ out }: CommandCall, checks: readonly Check[]): Promise<boolean> {
  const fixable = checks.filter(({ fix, state }) => fix && state !== 'ok');
  for (const { name, fix } of fixable) {
    try {
      const fixed = await fix?.();
      out.row({ name, fixed });
      out.line(`done  ${name.padEnd(12)} ${fixed}`);
    } catch (error) {
      out.row({ name, problem: messageOf(error) });
      out.line(`FAIL  ${name.padEnd(12)} could not be repaired: ${messageOf(error)}`);
    }
  }
  if (fixable.length === 0) out.line('There is nothing to repair.');
  return fixable.length > 0;
}
