import { counted, preview } from '../../base/text.ts';
import { visible } from '../../base/visible-characters.ts';
import type { EffectRow } from '../../store/schema.ts';
import type { CommandCall } from '../command.ts';
import { badUsage } from '../flags.ts';

/** What the owner can say about a call. */
const SAYINGS = { done: 'done', failed: 'undone' } as const;
/** Longer than any call outside a listed turn takes: undoing, and calls that were approved later. */
const STILL_RUNNING_MS = 2 * 60_000;

/**
 * List the calls that were cut off and whose outcome is unknown, after recording those whose outcome can be found out.
 * With an effect and `done` or `failed`, record the owner's word for it. Rows: `{effect, tool, destination, input, at,
 * turn}`, or `{effect, state}` for a call that was settled.
 */
export async function unknownOutcomes(call: CommandCall): Promise<number> {
  const { app, out, args } = call;
  const [id, saying] = args;
  const begun = await cutOffOf(call);
  if (id !== undefined) return settle(call, { begun, id, saying });
  const unknown = await app.tools.cutOff.settle(begun);
  const found = begun.length - unknown.length;
  if (found > 0)
    out.line(`Of ${counted(found, 'call')} that was cut off, the outcome could be found out: \`wooster log\`.`);
  for (const effect of unknown) {
    const { tool, destination, input, created_at: at, turn_id: turn } = effect;
    out.row({ effect: effect.id, tool, destination, input: JSON.parse(input), at, turn });
    const where = destination === null ? '' : ` to ${visible(destination)}`;
    out.line(
      `${at.slice(0, 19).replace('T', ' ')}Z  unknown ${tool}${where} ${preview(input, 200)}  (${effect.id}; ${turn})`,
    );
  }
  if (unknown.length === 0) out.line('There is no call whose outcome is unknown.');
  else out.line('Once you have looked: `wooster log --unknown EFFECT done`, or `failed`.');
  return 0;
}

/** Calls of running turns have no outcome yet, so they are left out. */
async function cutOffOf({ app }: CommandCall): Promise<EffectRow[]> {
  const running = await app.turns.archive.running();
  const recent = new Date(Date.now() - STILL_RUNNING_MS).toISOString();
  return (await app.tools.cutOff.begun()).filter(
    ({ turn_id, created_at }) => !running.has(turn_id) && (turn_id.startsWith('turn_') || created_at < recent),
  );
}

async function settle(
  { app, out }: CommandCall,
  {
    begun,
    id,
    saying,
  }: { readonly begun: readonly EffectRow[]; readonly id: string; readonly saying: string | undefined },
): Promise<number> {
  const effect = begun.find((each) => each.id === id);
  if (!effect) {
    throw badUsage(`The outcome of ${id} is not unknown.`, '"log --unknown" lists the calls whose outcome is.');
  }
  if (saying !== 'done' && saying !== 'failed') {
    throw badUsage(`Say whether ${id} was done.`, `Usage: log --unknown ${id} done, or failed`);
  }
  await app.tools.cutOff.record(effect, { state: SAYINGS[saying], text: 'The owner says that it was done.' });
  out.show({ effect: id, state: saying }, `${id} (${effect.tool}) is recorded as ${saying}.`);
  return 0;
}
