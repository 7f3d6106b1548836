import type { Tool, ToolContext } from '../tool.ts';
import type { Toolbox } from './toolbox.ts';

/** A call of a rehearsal. */
export interface RehearsedCall {
  readonly tool: string;
  readonly input: unknown;
  readonly effect: Tool['effect'];
  /** `channel:address`, or the place that the call would go to. */
  readonly destination: string | undefined;
  /** Answered without acting. */
  readonly stubbed: boolean;
}

const NOT_DONE = 'Rehearsal: this was not done, go on as if it had been.';

/** The same tools, but whatever would change or send something is only noted. */
export function rehearsing(toolbox: Toolbox, note: (call: RehearsedCall) => void): Toolbox {
  return toolbox.map((tool) => {
    const stubbed = tool.effect !== 'none';
    const execute = async (input: unknown, context: ToolContext) => {
      note({ tool: tool.name, input, effect: tool.effect, destination: targetOf(tool, input, context), stubbed });
      return stubbed ? NOT_DONE : tool.execute(input, context);
    };
    return stubbed
      ? { ...tool, effect: 'none', output: undefined, execute, found: () => [], keeps: () => undefined }
      : { ...tool, execute };
  });
}

/** What is allowed, and nothing else. */
export interface Allowed {
  readonly tools: readonly string[];
  readonly destinations: readonly string[];
}

/** The same tools; a call of one that is not allowed, or to a place that is not, is refused and reported. */
export function allowing(toolbox: Toolbox, allowed: Allowed, refused: (what: string) => void): Toolbox {
  return toolbox.map((tool) => ({
    ...tool,
    execute: async (input, context) => {
      const target = targetOf(tool, input, context);
      const known =
        allowed.tools.includes(tool.name) && (target === undefined || allowed.destinations.includes(target));
      if (known) return tool.execute(input, context);
      const what = target === undefined ? tool.name : `${tool.name} to ${target}`;
      refused(what);
      throw new Error(`${what} is not among what the owner allowed this job; it was not done`);
    },
  }));
}

function targetOf(tool: Tool, input: unknown, context: ToolContext): string | undefined {
  const recipient = tool.recipient(input, context);
  if (recipient) return `${recipient.channel}:${recipient.address}`;
  return placeOf(tool.destination(input));
}

/** Of an address only scheme, host and port: the page may differ from run to run. */
function placeOf(destination: string | undefined): string | undefined {
  if (destination === undefined || !URL.canParse(destination)) return undefined;
  const { origin } = new URL(destination);
  return origin === 'null' ? undefined : origin;
}
