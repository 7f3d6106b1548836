import { nearest } from '../../base/text.ts';
import type { Tool } from '../../tools/tool.ts';

/** Names of the script's world that no tool may take. */
export const BUILT_IN_NAMES: ReadonlySet<string> = new Set([
  ...['tools', 'console', 'input', 'log', 'store', 'recall', 'ToolError'],
  ...['output', 'finalAnswer', 'done', 'complete', 'discoverTools', 'toolSchema', 'parallel', 'llm', 'llmJson'],
  ...['storeArtifact', 'getArtifact', 'listArtifacts', 'sleep', 'parseUrl'],
]);

const RESERVED =
  /^(?:await|async|arguments|break|case|catch|class|const|continue|debugger|default|delete|do|else|enum|eval|export|extends|false|finally|for|function|if|implements|import|in|instanceof|interface|let|new|null|of|package|private|protected|public|return|static|super|switch|this|throw|true|try|typeof|undefined|var|void|while|with|yield)$/u;

const LANGUAGE_GLOBALS: ReadonlySet<string> = new Set(Object.getOwnPropertyNames(globalThis));

/** How a tool is reached in scripts. */
export interface NamedTool {
  readonly tool: Tool;
  /** Undefined where the plain name is withheld: it is taken, or two tools would share it. */
  readonly plain: string | undefined;
}

/** Every tool with its plain name, where it may have one. `taken` are names of functions that plugins gave. */
export function nameTools(tools: readonly Tool[], taken: ReadonlySet<string> = new Set()): NamedTool[] {
  const counts = new Map<string, number>();
  for (const { functionName } of tools) counts.set(functionName, (counts.get(functionName) ?? 0) + 1);
  return tools.map((tool) => {
    const name = tool.functionName;
    const free = isFree(name) && !taken.has(name) && counts.get(name) === 1;
    return { tool, plain: free ? name : undefined };
  });
}

/** May a function of the script's world have this name? */
export function isFree(name: string): boolean {
  const identifier = /^[A-Za-z_$][\w$]*$/u.test(name);
  return identifier && !RESERVED.test(name) && !BUILT_IN_NAMES.has(name) && !LANGUAGE_GLOBALS.has(name);
}

/** How to write a call of this tool: `queryRAG`, or `tools["mail.send"]` where the plain name is withheld. */
export function spelling({ tool, plain }: NamedTool): string {
  return plain ?? `tools[${JSON.stringify(tool.name)}]`;
}

/** What a wrong name was probably meant to be. */
export function suggest(name: string, known: Iterable<string>): string | undefined {
  return nearest(name, known);
}
