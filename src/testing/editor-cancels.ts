import { methods, type PromptResponse } from '@agentclientprotocol/sdk';
import type { EditorConnection } from './editor-connection.ts';

const { session } = methods.agent;

export interface Cancelling {
  readonly rounds: number;
  /** Waits for the moment at which the prompt of a round is cancelled, if it has not been answered by then. */
  readonly moment: (round: number) => Promise<void>;
  /** How much a request has done so far: anything that grows. */
  readonly effects: () => number;
  /** Whether a prompt that is not answered is given up. */
  readonly patience?: (answer: Promise<unknown>) => Promise<unknown>;
}

export interface Cancelled {
  /** How often prompts ended how. */
  readonly ended: Readonly<Record<string, number>>;
  /** Prompts after whose answer something was still done. */
  readonly late: number;
}

/** Prompts, each cancelled at some moment of its life. */
export async function cancelPrompts(
  { agent }: Pick<EditorConnection, 'agent'>,
  { rounds, moment, effects, patience = (answer) => answer }: Cancelling,
): Promise<Cancelled> {
  const { sessionId } = await agent.request(session.new, { cwd: '/', mcpServers: [] });
  const ended: Record<string, number> = {};
  let late = 0;
  for (let round = 0; round < rounds; round += 1) {
    const prompt = [{ type: 'text' as const, text: 'note x' }];
    const answer = agent
      .request<PromptResponse>(session.prompt, { sessionId, prompt })
      .then(({ stopReason }) => stopReason)
      .catch(() => 'failed');
    await Promise.race([answer, moment(round)]);
    await agent.notify(session.cancel, { sessionId });
    const how = String(await patience(answer));
    ended[how] = (ended[how] ?? 0) + 1;
    const before = effects();
    // What is under way in the other process has time to come.
    await agent.request(session.list, {});
    if (effects() !== before) late += 1;
  }
  return { ended, late };
}

/** So many turns of the event loop. */
export async function turnsOfLoop(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise((next) => setImmediate(next));
}
