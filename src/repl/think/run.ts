import { counted } from '../../base/text.ts';
import { failureText } from '../../lang/programs/failure-text.ts';
import { runProgram } from '../../lang/runtime/run-program.ts';
import type { CommandCall } from '../command.ts';
import { requireFiles } from './form.ts';
import { argumentsOf, compileFor, worldFor } from './programs.ts';

/**
 * Run a program. Rows: `{type: "print", text}`, warnings and diagnostics as they come, then
 * `{type: "end", ok, ms, cost}` with the failure; exit code 1 when it fails, 130 when it is cancelled.
 */
export async function run(call: CommandCall): Promise<number> {
  const { args, app, out, signal, flags } = call;
  requireFiles(args, 'run');
  const ready = compileFor(call, args[0] ?? '');
  if (!ready) return 1;
  const world = worldFor(call, ready, (text) => {
    out.row({ type: 'print', text });
    out.line(text);
  });
  const given = await argumentsOf(call, ready);
  const { failed, ms } = await runProgram(ready.compiled, { sandbox: app.tools.sandbox, world, signal, args: given });
  const isCancelled = failed?.name === 'Cancelled';
  await world.close(isCancelled ? 'aborted' : failed ? 'failed' : 'answered');
  const cost = world.costs.getSummary();
  out.row({ type: 'end', ok: !failed, ms: Math.round(ms), cost, ...(failed ? { failed } : {}) });
  if (failed) out.note(failureText(failed, ready));
  if (flags['show-cost']) out.note(costText(cost));
  return isCancelled ? 130 : failed ? 1 : 0;
}

function costText({ calls, inputTokens, outputTokens, costUsd }: ReturnType<Costs>): string {
  return `${counted(calls, 'model call')}, ${inputTokens} tokens in, ${outputTokens} out, ${costUsd.toFixed(4)} USD`;
}

type Costs = Awaited<ReturnType<typeof worldFor>>['costs']['getSummary'];
