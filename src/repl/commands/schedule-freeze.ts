import { counted } from '../../base/text.ts';
import type { JobState } from '../../lang/freeze/freezer.ts';
import { showWall } from '../../when/zone.ts';
import type { CommandCall } from '../command.ts';
import { isYes } from '../flags.ts';

/** Try the program of a job, show it, and let it run from then on. */
export async function freeze({ app, out, session, signal }: CommandCall, id: string): Promise<number> {
  const freezer = await app.schedule.freezer();
  const proposal = await freezer.propose(id, signal);
  for (const line of proposal.lines) out.line(line);
  const answer = session.interactive && !session.yes ? await out.ask('Freeze it? (y/N) ') : undefined;
  if (!session.yes && !isYes(answer ?? '')) {
    out.show({ id, frozen: false }, 'Nothing was changed; --yes agrees to it.');
    return 1;
  }
  await freezer.freeze(id, proposal);
  out.show({ id, frozen: true }, `${id} is frozen: this program runs instead of a model.`);
  return 0;
}

/** Let a model run a job again. */
export async function thaw({ app, out }: CommandCall, id: string): Promise<number> {
  const thawed = await (await app.schedule.freezer()).thaw(id);
  out.show({ id, thawed }, thawed ? `${id} is run by a model again.` : `${id} was not frozen.`);
  return thawed ? 0 : 1;
}

/** Whether a program does a job instead of a model, and what that has saved. */
export function frozenLines(id: string, frozen: JobState, timeZone: string): readonly string[] {
  switch (frozen.state) {
    case 'offered':
      return [
        `${frozen.runs} runs went the same way: \`wooster schedule freeze ${id}\` shows the program that does it`,
      ];
    case 'not':
      return [`not frozen: ${frozen.why}`];
    case 'thawed':
      return [`thawed: ${frozen.job.why ?? ''}; ${savedText(frozen)}`];
    default: {
      const { deviations, frozenAt, source } = frozen.job;
      const misfits = deviations === 0 ? '' : `; ${counted(deviations, 'run')} did not fit`;
      const since = `frozen since ${showWall(frozenAt, timeZone)}: ${savedText(frozen)}${misfits}`;
      return [since, ...source.trimEnd().replace(/^/gmu, '  | ').split('\n')];
    }
  }
}

/** `12 runs without a model, about 48000 tokens and $0.3400 saved`. */
function savedText({ job: { runs }, saved: { tokens, usd } }: FrozenState): string {
  const money = usd === undefined ? 'an unknown sum' : `$${usd.toFixed(4)}`;
  return `${counted(runs, 'run')} by its program, about ${counted(tokens, 'token')} and ${money} saved`;
}

type FrozenState = Extract<JobState, { job: unknown }>;

/** As `--json` shows it; `usd` is null where a price is not known. */
export function frozenRow(frozen: JobState): Record<string, unknown> {
  if (!('job' in frozen)) return { ...frozen };
  const { runs, deviations, why } = frozen.job;
  return { state: frozen.state, why, runs, deviations, saved: { ...frozen.saved, usd: frozen.saved.usd ?? null } };
}
