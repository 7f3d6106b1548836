import { z } from 'zod';
import { loadExamples } from '../../base/examples.ts';
import { defineTool, type StoredText, type Tool, type ToolContext } from '../../tools/tool.ts';
import { authorOf } from '../../tools/undo/kept-states.ts';
import { localDate } from '../../when/calendar.ts';
import { MAX_ENTRY_CHARS } from './entries.ts';
import type { Memory, ToldFact } from './memory.ts';
import type { KnownFact } from './memory-files.ts';

const examplesOf = loadExamples(import.meta.dirname, 'memory');
const FACT = z.string().trim().min(1).max(MAX_ENTRY_CHARS);

/**
 * `remember`, `forget_memory` and `search_memory`. Their changes are versioned, so `wooster undo` reverts them; once
 * untrusted content was read, a change in other words than the owner's waits for the owner, who sees it as a diff.
 */
export function createMemoryTools(memory: Memory): Tool[] {
  const knowsAnything: KnowsAnything = async ({ project }) => (await memory.facts(project)).length > 0;
  return [rememberTool(memory), forgetTool(memory, knowsAnything), searchTool(memory, knowsAnything)];
}

type KnowsAnything = (turn: { readonly project: string }) => Promise<boolean>;

function rememberTool(memory: Memory): Tool {
  return defineTool({
    name: 'remember',
    positional: ['text'],
    aliases: { text: ['fact', 'memory', 'content'] },
    description: 'Keep a lasting fact about the user.',
    input: z.object({ text: FACT, project: z.boolean().optional().describe('only for this project') }),
    output: z.object({
      remembered: z.string(),
      file: z.string().meta({ seldom: true }),
      replaced: z.array(z.string()).meta({ seldom: true }),
      known: z.boolean().meta({ seldom: true }),
    }),
    policy: {
      effect: 'local',
      change: 'append',
      control: ({ text, project }, context) =>
        isOwners(text, context) ? undefined : memory.wouldRemember(told(text, project, context)),
    },
    provenance: { readsFrom: factsOf(memory) },
    durability: { trace: 'version', versioned: true },
    presentation: {
      examples: examplesOf('remember'),
      offer: async ({ project }) => memory.isOn(project),
      unremarkable: ({ known }) => !known,
      told: ({ known }) => ({ code: known ? 'already_there' : 'remembered', values: {} }),
    },
    timeoutMs: 10_000,
    execute: async ({ text, project }, context) => {
      const known = await factsOf(memory)(undefined, context);
      const done = await memory.remember(told(text, project, context), authorOf(context));
      context.holds(...called(done.replaced, known));
      return done;
    },
  });
}

function forgetTool(memory: Memory, knowsAnything: KnowsAnything): Tool {
  return defineTool({
    name: 'forget_memory',
    positional: ['text'],
    aliases: { text: ['fact', 'memory', 'about', 'query'] },
    description: 'Forget a remembered fact, by its words.',
    input: z.object({ text: FACT }),
    output: z.object({ forgotten: z.array(z.string()), matches: z.array(z.string()) }),
    policy: {
      effect: 'local',
      change: 'delete',
      control: ({ text }, context) =>
        isOwners(text, context) ? undefined : memory.wouldForget(text, context.turn.project),
    },
    provenance: { readsFrom: factsOf(memory) },
    durability: { trace: 'version', versioned: true },
    presentation: {
      examples: examplesOf('forget_memory'),
      offer: knowsAnything,
      told: ({ forgotten, matches }) => {
        const kept = matches.length > 0 ? 'several_facts' : 'no_such_fact';
        return { code: forgotten.length > 0 ? 'forgotten' : kept, values: {} };
      },
    },
    timeoutMs: 10_000,
    execute: async ({ text }, context) => {
      const known = await factsOf(memory)(undefined, context);
      const done = await memory.forget(text, context.turn.project, authorOf(context));
      context.holds(...called([...done.forgotten, ...done.matches], known));
      return done;
    },
  });
}

function searchTool(memory: Memory, knowsAnything: KnowsAnything): Tool {
  return defineTool({
    name: 'search_memory',
    positional: ['query'],
    aliases: { query: ['text', 'question', 'about'] },
    description: 'Search what is remembered about the user.',
    input: z.object({ query: z.string().trim().min(1).max(1000) }),
    output: z.array(
      z.object({ text: z.string(), date: z.string().optional(), outside: z.boolean().optional(), fit: z.number() }),
    ),
    policy: { effect: 'none' },
    presentation: { offer: knowsAnything },
    timeoutMs: 10_000,
    execute: async ({ query }, { turn, holds }) => {
      const found = await memory.search(query, turn.project);
      holds(...found.map(asStored));
      return found.map(({ text, date, outside, fit }) => ({
        ...{ text, fit },
        ...(date && { date }),
        ...(outside && { outside }),
      }));
    },
  });
}

interface StoredFact extends StoredText {
  readonly text: string;
}

/** Everything that is remembered. */
function factsOf(memory: Memory) {
  return async (_input: unknown, { turn }: ToolContext): Promise<readonly StoredFact[]> =>
    (await memory.files(turn.project)).flatMap(({ entries }) => entries).map(asStored);
}

function asStored({ text, outside = false }: Pick<KnownFact, 'text' | 'outside'>): StoredFact {
  return { text, untrusted: outside };
}

function called(texts: readonly string[], known: readonly StoredFact[]): readonly StoredFact[] {
  return known.filter(({ text }) => texts.includes(text));
}

function told(text: string, own: boolean | undefined, context: ToolContext): ToldFact {
  const { turn, now, timeZone, proposed } = context;
  const date = localDate(proposed?.at ?? now(), timeZone);
  const source = proposed?.turnId ?? turn.id;
  // Also once the owner has approved it: that lets it be kept, and makes it nobody else's text.
  return { text, own, project: turn.project, date, source, outside: !isOwners(text, context) };
}

/** Whether only the owner can have asked for it. */
function isOwners(text: string, { untrusted, isSaid }: ToolContext): boolean {
  return !untrusted || isSaid(text);
}
