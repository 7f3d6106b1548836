import type { Models } from '../models/types.ts';
import type { Sample } from '../plugins/mcp/sampling.ts';
import type { Projects } from '../rag/projects.ts';

/** How long a text for an MCP server may take. */
const SAMPLE_MS = 60_000;
const ASKED = { profile: 'BACKGROUND_TASK', mode: 'classic_tools', purpose: 'llm' } as const;

interface Writing {
  readonly models: Pick<Models, 'pick'>;
  readonly projects: Pick<Projects, 'active'>;
}

/** Generate text for an MCP server. Through the router, so that budgets and the project's limits hold. */
export async function writeForServer(
  { models, projects }: Writing,
  { system, messages }: Parameters<Sample>[0],
): ReturnType<Sample> {
  const signal = AbortSignal.timeout(SAMPLE_MS);
  const { model, name } = await models.pick({ project: projects.active(), ...ASKED, signal });
  const said = messages.map(
    ({ role, text }) => [role === 'assistant' ? 'ai' : 'human', text] as ['ai' | 'human', string],
  );
  const before: ['system', string][] = system === undefined ? [] : [['system', system]];
  const reply = await model.invoke([...before, ...said], { signal });
  return { text: reply.text, model: name };
}
