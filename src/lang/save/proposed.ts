import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { AssistantError } from '../../base/errors.ts';
import { sha256 } from '../../base/json.ts';
import type { Turn } from '../../base/turn.ts';
import { type RehearsedCall, rehearsing } from '../../tools/gate/limits.ts';
import type { Stake } from '../../tools/stakes.ts';
import type { ToolContext } from '../../tools/tool.ts';
import { failureText } from '../programs/failure-text.ts';
import type { LoadedProgram } from '../programs/load-program.ts';
import { ProgramWorldOf } from '../runtime/program-world.ts';
import { runProgram } from '../runtime/run-program.ts';
import { type Draft, draftProgram } from './draft.ts';
import { lastActingTurn, type RecordedTurn } from './recorded-turn.ts';
import type { Saving } from './save-tool.ts';

/** A program that would be written, and what it was made of. */
export interface Proposed {
  readonly draft: Draft;
  readonly turn: RecordedTurn;
  readonly path: string;
  readonly stake: Stake;
}

/** @throws AssistantError `bad_usage` where nothing can be saved, or the name is taken. */
export async function propose(
  saving: Saving,
  { turn: asking, proposed, timeZone }: Pick<ToolContext, 'turn' | 'proposed' | 'timeZone'>,
  name: string | undefined,
): Promise<Proposed> {
  const { programs } = saving;
  const { conversationId, id, project } = asking;
  const toolbox = saving.toolbox();
  const turn = await lastActingTurn({ ...saving, toolbox }, conversationId, proposed?.turnId ?? id);
  const [callable, hasModel] = [await programs.names({ toolbox, project }), await saving.hasModel()];
  const draft = draftProgram(turn, { name, callable, hasModel, timeZone });
  const path = join(programs.folders.home, `${draft.name}.tl`);
  if (existsSync(path)) {
    throw new AssistantError('bad_usage', `There is a program ${draft.name} already.`, {
      hint: 'Give it another name: save it as NAME.',
    });
  }
  return { draft, turn, path, stake: { before: undefined, after: sha256(draft.source) } };
}

/** What the owner reads before they agree: what it does in words, and the program itself. */
export function shown({ draft, turn }: Proposed): string {
  const source = draft.source.trimEnd().replace(/^/gmu, '+ ').split('\n');
  return [`programs/${draft.name}.tl, new:`, ...aboutLines(draft, turn), ...source].join('\n');
}

/** What a program does, in words. */
export function aboutLines(draft: Draft, turn: RecordedTurn): readonly string[] {
  const tools = turn.calls.flatMap((call) => (call.kind === 'tool' ? [call] : []));
  const [acts, reads] = [tools.filter(({ tool }) => tool.policy.effect !== 'none'), tools.filter(isOnline)];
  const names = (calls: typeof tools) => [...new Set(calls.map(whereTo))].join(', ');
  return [
    ...(acts.length > 0 ? [`  it acts by: ${names(acts)}`] : ['  it changes nothing']),
    ...(reads.length > 0 ? [`  it reaches: ${names(reads)}`] : []),
    draft.asks === 0 ? '  it asks no model' : `  it asks a model ${draft.asks === 1 ? 'once' : `${draft.asks} times`}`,
    ...draft.notes.map((note) => `  not in it: ${note}`),
  ];
}

type ToolCall = Extract<RecordedTurn['calls'][number], { kind: 'tool' }>;

function isOnline({ tool }: ToolCall): boolean {
  return tool.policy.network && tool.policy.effect === 'none';
}

/** A call by its tool, with the host that it went to. */
function whereTo({ tool, input }: ToolCall): string {
  const url = URL.parse(tool.policy.destination?.(input) ?? '');
  return url ? `${tool.functionName} (${url.host})` : tool.functionName;
}

interface Tried {
  readonly calls: readonly RehearsedCall[];
  readonly problem?: string;
  /** It has read text of others. */
  readonly untrusted: boolean;
}

/** Run it once with what it was made of; calls that would act are noted, not made. */
export async function rehearse(
  { programs: { deps }, models, toolbox }: Pick<Saving, 'programs' | 'models' | 'toolbox'>,
  { checked, compiled, path }: LoadedProgram,
  { signal, asking }: { readonly signal: AbortSignal; readonly asking: Pick<Turn, 'project' | 'mode'> },
): Promise<Tried> {
  const calls: RehearsedCall[] = [];
  const { project, mode } = asking;
  const { file, source } = checked.main;
  const tried = rehearsing(toolbox(), (call) => calls.push(call));
  const world = new ProgramWorldOf(
    { ...deps, models, toolbox: tried },
    { file, source, project, mode, signal, within: [path], print: () => {}, warn: () => {} },
  );
  const { failed } = await runProgram(compiled, { sandbox: deps.sandbox, world, signal });
  await world.close(failed ? 'failed' : 'answered');
  const untrusted = await world.hasReadUntrusted();
  return { calls, untrusted, ...(failed ? { problem: failureText(failed, { checked }) } : {}) };
}

/** @returns how the rehearsal acted otherwise than the conversation did. */
export function difference({ calls }: RecordedTurn, tried: readonly RehearsedCall[]): string | undefined {
  const before = calls.flatMap((call) =>
    call.kind === 'tool' && call.tool.policy.effect !== 'none' ? [call.tool.name] : [],
  );
  const now = tried.filter(({ stubbed }) => stubbed).map(({ tool }) => tool);
  if (before.join() === now.join()) return undefined;
  const [would, did] = [now, before].map((names) => names.join(', ') || 'nothing');
  return `a rehearsal would have called ${would}, the conversation called ${did}`;
}

/** A call as the owner reads it. */
export function wordsFor({ tool, input, destination }: RehearsedCall): string {
  return `${tool}${destination === undefined ? '' : ` to ${destination}`} ${JSON.stringify(input)}`;
}
