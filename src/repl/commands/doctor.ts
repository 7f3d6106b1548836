import type { Command } from '../command.ts';

const MARK = { ok: 'ok  ', warn: 'note', fail: 'FAIL' } as const;

/** Rows: `{name, state, detail, hint?}`, state `ok`, `warn` or `fail`; exit code 1 when any check fails. */
export const doctor: Command = {
  name: 'doctor',
  summary: 'Check that everything Wooster needs is working',
  group: 'Maintenance',
  usage: ['doctor'],
  async run({ app, out }) {
    const checks = await app.doctor();
    for (const check of checks) {
      out.row(check);
      out.line(`${MARK[check.state]}  ${check.name.padEnd(12)} ${check.detail}`);
      if (check.hint !== undefined) out.line(`${' '.repeat(19)}${check.hint}`);
    }
    return checks.some((check) => check.state === 'fail') ? 1 : 0;
  },
};
