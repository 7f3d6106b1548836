import { join, resolve } from 'node:path';
import { OutsideCalls } from '../../agent/outside-calls.ts';
import { AssistantError } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import { NOBODY_TO_ASK, type TurnContext } from '../../base/turn.ts';
import { version } from '../../base/version.ts';
import { fileMaterial, fitting } from '../../face/file-material.ts';
import { isProgramTool } from '../../lang/programs/program-name.ts';
import type { Served, ServedPrompt } from '../../plugins/mcp/serve/server-face.ts';
import type { Documents, SourceInfo, SourcesOptions } from '../../rag/types.ts';
import type { CommandCall } from '../command.ts';

/** The origin of texts that another program hands over. */
const CALLER = 'another program, over MCP';
const PASSAGES = 8;

/**
 * Serve one other program over our standard streams. Calls that need the owner's approval become proposals.
 *
 * @throws AssistantError `local_only`, since nobody knows where the other program sends what it reads.
 */
export async function serveMcp(call: CommandCall): Promise<number> {
  const { app, session, signal, place } = call;
  if (place !== 'argv') {
    throw new AssistantError('bad_usage', 'The prompt and another program cannot share one terminal.', {
      hint: 'Let the other program start "wooster mcp serve".',
    });
  }
  if (app.models.isLocalOnly(session.project)) {
    throw new AssistantError('local_only', `The project "${session.project}" is local only: it is not served.`, {
      hint: 'Name another one with --project.',
    });
  }
  const { serveStdio } = await import('../../plugins/mcp/serve/serve-stdio.ts');
  await serveStdio(served(call), {
    input: process.stdin,
    output: process.stdout,
    signal,
    onError: (error) => app.home.log.warn('mcp serve', { error: error.message }),
  });
  return 0;
}

/**
 * What a client is offered. Its calls count as one: what one read, the next has.
 *
 * @param call.signal ends them.
 * @param conversationId keeps what they have read; a new one unless given.
 */
export function served({ app, session, signal: whole }: ServedCall, conversationId?: string): Served {
  const { project, mode } = session;
  const context = (signal?: AbortSignal): TurnContext => ({
    signal: signal ? AbortSignal.any([whole, signal]) : whole,
    now: () => new Date(),
    timeZone: app.home.timeZone,
    show: () => {},
    approve: async () => NOBODY_TO_ASK,
  });
  const calls = new OutsideCalls({
    ...{ store: app.store, toolbox: app.tools.toolbox, conversationId },
    ...{ origin: 'mcp', mode, project, untrusted: CALLER },
    turnTools: (run) =>
      app.tools.programs.toolsFor({
        ...run,
        pick: (profile, more) => app.models.pick({ project, mode, profile, purpose: 'turn', signal: whole, ...more }),
      }),
    context,
  });
  const readable = { states: ['indexed'], imported: false } as const;
  return {
    version: version(),
    project,
    redact: (text) => app.home.redactor.redact(text),
    // Tools of other MCP servers are not re-exported.
    tools: async () => {
      const ids = { id: newId('turn'), conversationId: newId('conv') };
      const turn = { ...ids, text: '', origin: 'mcp', mode, project } as const;
      const offered = await app.tools.toolbox.offered(turn);
      const programs = (await app.turns.agent.tools(turn, context())).filter(isProgramTool);
      return [...offered.filter((tool) => tool.server === undefined), ...programs];
    },
    call: (name, input, signal) => calls.call(name, input, signal),
    documents: async (range) => {
      const files = await app.knowledge.documents.sourceRange(project, { ...readable, ...range });
      return files.map(({ root, file, bytes }) => ({ path: nameOf(root, file), bytes }));
    },
    read: async (path, signal) => {
      const source = await sourceNamed(app.knowledge.documents, project, { ...readable, name: path });
      if (!source) return undefined;
      const { text, untrusted } = fitting(await fileMaterial(resolve(source.root, source.file), app, signal));
      await calls.read({ untrusted, private: true }, path);
      return text;
    },
    search: (query, signal) => passagesFor(calls, query, signal),
    prompts: [documentsPrompt(calls), dayPrompt(calls)],
  };
}

interface ServedCall extends Pick<CommandCall, 'app' | 'signal'> {
  readonly session: Pick<CommandCall['session'], 'project' | 'mode'>;
}

/** A document's name: its path, below the folder that it was ingested with. */
function nameOf(root: string, file: string): string {
  return join(root, file)
    .split('/')
    .slice(-file.split('/').length - 1)
    .join('/');
}

/** The file of that name, where several folders of the same name have such a file, the first. */
async function sourceNamed(
  documents: Documents,
  project: string,
  { name, ...which }: SourcesOptions & { readonly name: string },
): Promise<SourceInfo | undefined> {
  const path = name.slice(name.indexOf('/') + 1);
  for await (const page of documents.sourcePages(project, { ...which, path })) {
    const found = page.find(({ root, file }) => nameOf(root, file) === name);
    if (found) return found;
  }
  return undefined;
}

async function passagesFor(calls: OutsideCalls, query: string, signal: AbortSignal): Promise<string> {
  const result = await calls.call('query_rag', { query, k: PASSAGES }, signal);
  if (!result.ok) throw new Error(result.error);
  return result.text;
}

function documentsPrompt(calls: OutsideCalls): ServedPrompt {
  return {
    name: 'answer_from_documents',
    description: "Answer a question from the owner's documents, with citations.",
    arguments: [{ name: 'question', description: 'What to answer', required: true }],
    text: async ({ question = '' }, signal) => {
      const passages = await passagesFor(calls, question, signal);
      return `Answer from these passages alone, and cite them.\n\nQuestion: ${question}\n\nPassages:\n${passages}`;
    },
  };
}

function dayPrompt(calls: OutsideCalls): ServedPrompt {
  return {
    name: 'plan_day',
    description: "Plan the day from the owner's reminders.",
    arguments: [],
    text: async (_given, signal) => {
      const result = await calls.call('list_schedules', {}, signal);
      return `Plan my day. My reminders and schedules:\n${result.ok ? result.text : result.error}`;
    },
  };
}
