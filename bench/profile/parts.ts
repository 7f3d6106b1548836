/** As V8 writes it, as far as it is looked at here. */
export interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: Frame;
    readonly children?: readonly number[];
  }[];
  readonly samples: readonly number[];
}

export interface Frame {
  readonly functionName: string;
  readonly url: string;
  readonly lineNumber: number;
}

/** Names the part of the work that a frame belongs to; `undefined` when its caller decides. */
export type PartOf = (frame: Frame) => string | undefined;

/**
 * The share of each part in the samples that were not idle. From the innermost frame outwards, the first that belongs
 * to a part decides: loading that a turn causes is loading.
 */
export function shares(profiles: readonly CpuProfile[], partOf: PartOf, rest: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const profile of profiles) {
    const parts = partsOf(profile, partOf, rest);
    for (const sample of profile.samples) {
      const part = parts.get(sample);
      if (part !== undefined) counts.set(part, (counts.get(part) ?? 0) + 1);
    }
  }
  const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
  return new Map([...counts].map(([part, count]) => [part, count / all] as const).sort((a, b) => b[1] - a[1]));
}

/** The part of each node; idle ones have none. */
function partsOf({ nodes }: CpuProfile, partOf: PartOf, rest: string): Map<number, string> {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parts = new Map<number, string>();
  const visit = (id: number, outer: string): void => {
    const node = byId.get(id);
    if (!node || node.callFrame.functionName === '(idle)') return;
    const own = partOf(node.callFrame) ?? outer;
    parts.set(id, own);
    for (const child of node.children ?? []) visit(child, own);
  };
  const [root] = nodes;
  if (root) visit(root.id, rest);
  return parts;
}

const GC = 'collecting garbage';
const NATIVE = 'outside JavaScript: V8, Node, files';

/** Functions of the built program that begin a part of a start, by their names. */
const START = new Map(
  Object.entries({
    loadSettings: 'settings',
    openFoundation: 'opening the home and its store',
    openStore: 'opening the home and its store',
    createApp: 'putting the program together',
    runTurn: 'the turn: prompt, history, saving',
    intentOf: 'the built-in model: understanding the question',
  }),
);

/** For a start of the build, in which files are chunks and only functions have names. */
export function startPart({ functionName, url, lineNumber }: Frame): string | undefined {
  if (functionName === '(garbage collector)') return GC;
  if (functionName === '(program)') return NATIVE;
  if (url.startsWith('node:internal/modules')) return 'finding, reading and compiling modules';
  if (lineNumber === 0 && functionName === '' && url.startsWith('file:')) return 'running modules for the first time';
  return START.get(functionName);
}

/** Packages and modules, by what stands in their address. */
const TURN: readonly (readonly [RegExp, string])[] = [
  [/node_modules\/(?:@langchain\/classic|langchain)\//u, 'LangChain: AgentExecutor'],
  [/node_modules\/(?:@langchain\/openai|openai)\//u, 'LangChain: the client of the model'],
  [/node_modules\/(?:@langchain|langsmith)\//u, 'LangChain: messages, streams, callbacks'],
  [/node_modules\/undici\/|\/src\/net\//u, 'HTTP'],
  [/\/src\/store\/|node_modules\/kysely\//u, 'the store'],
  [/\/src\/conversation\//u, 'history and token counts'],
  [/\/src\/agent\//u, 'the turn: prompt, steps, claims'],
  [/\/src\/tools\/|node_modules\/zod\//u, 'tools and the gate'],
  [/\/src\/models\//u, 'router and accounting'],
  [/\/src\/base\/redact|\/src\/base\/secret/u, 'redaction'],
];

/** For turns of the sources, in which addresses tell. What Node does belongs to whoever asked for it. */
export function turnPart({ functionName, url }: Frame): string | undefined {
  if (functionName === '(garbage collector)') return GC;
  if (functionName === '(program)') return NATIVE;
  if (url.startsWith('node:internal/deps/undici')) return 'HTTP';
  if (url.startsWith('node:')) return undefined;
  return TURN.find(([address]) => address.test(url))?.[1];
}
