import { nearest } from '../../base/text.ts';
import type { Tool } from '../../tools/tool.ts';

/** Names of the script's own world that no tool may take. */
const BUILT_IN_NAMES: ReadonlySet<string> = new Set([
  ...['tools', 'console', 'input', 'log', 'store', 'recall', 'ToolError'],
  ...['output', 'finalAnswer', 'done', 'complete', 'discoverTools', 'toolSchema', 'parallel', 'llm', 'llmJson'],
  ...['storeArtifact', 'getArtifact', 'listArtifacts', 'sleep', 'parseUrl'],
  ...['daysBetween', 'addDays', 'sum'],
]);

/** Words that cannot be identifiers, and `async`, `of`, `eval`, `arguments`, `undefined`, which would confuse. */
const RESERVED: ReadonlySet<string> = new Set(
  [
    'arguments async await break case catch class const continue debugger default delete do else enum eval export',
    'extends false finally for function if implements import in instanceof interface let new null of package private',
    'protected public return static super switch this throw true try typeof undefined var void while with yield',
  ].flatMap((line) => line.split(' ')),
);

const LANGUAGE_GLOBALS: ReadonlySet<string> = new Set(Object.getOwnPropertyNames(globalThis));

/** A tool and the plain name by which scripts reach it. */
export interface NamedTool {
  readonly tool: Tool;
  /** Undefined where the tool has none: the name is taken, or two tools would share it. */
  readonly plain: string | undefined;
}

/** Give each tool its plain name, where it can have one. @param taken names of functions that are not tools. */
export function nameTools(tools: readonly Tool[], taken: ReadonlySet<string> = new Set()): NamedTool[] {
  const counts = new Map<string, number>();
  for (const { functionName } of tools) counts.set(functionName, (counts.get(functionName) ?? 0) + 1);
  return tools.map((tool) => {
    const name = tool.functionName;
    const free = isFree(name) && !taken.has(name) && counts.get(name) === 1;
    return { tool, plain: free ? name : undefined };
  });
}

/** Whether a tool or a plugin's function may have this name. */
export function isFree(name: string): boolean {
  const identifier = /^[A-Za-z_$][\w$]*$/u.test(name);
  return identifier && !RESERVED.has(name) && !BUILT_IN_NAMES.has(name) && !LANGUAGE_GLOBALS.has(name);
}

/** How a script names this tool: `queryRAG`, or `tools["mail.send"]` where it has no plain name. */
export function spelling({ tool, plain }: NamedTool): string {
  return plain ?? `tools[${JSON.stringify(tool.name)}]`;
}

/** The known name closest to a wrong one, if any is close. */
export function suggest(name: string, known: Iterable<string>): string | undefined {
  return nearest(name, known);
}
