import { AssistantError } from '../../base/errors.ts';
import type { Tool, ToolContext } from '../tool.ts';
import type { Toolbox } from './toolbox.ts';

/** One call that a rehearsal made or would have made. */
export interface RehearsedCall {
  readonly tool: string;
  readonly input: unknown;
  readonly effect: Tool['policy']['effect'];
  /** `channel:address`, or the origin that the call would go to, or a text that is no address of the web. */
  readonly destination: string | undefined;
  /** It was answered without acting. */
  readonly stubbed: boolean;
}

const NOT_DONE = 'Rehearsal: this was not done; continue as if it had been.';

/** The same tools, but every call that would change or send something is noted instead of made. */
export function rehearsing(toolbox: Toolbox, note: (call: RehearsedCall) => void): Toolbox {
  return toolbox.map((tool) => {
    const stubbed = tool.policy.effect !== 'none';
    const execute = async (input: unknown, context: ToolContext) => {
      note({
        tool: tool.name,
        input,
        effect: tool.policy.effect,
        destination: await targetOf(tool, input, context),
        stubbed,
      });
      return stubbed ? NOT_DONE : tool.execute(input, context);
    };
    return stubbed
      ? {
          ...tool,
          output: undefined,
          policy: { ...tool.policy, effect: 'none' },
          provenance: { readsFrom: [] },
          execute,
        }
      : { ...tool, execute };
  });
}

/** A closed list of what may be done. */
export interface Allowed {
  readonly tools: readonly string[];
  readonly destinations: readonly string[];
}

/**
 * The same tools; a call of another tool, or to another destination, fails and is reported.
 *
 * @param refused told what was wanted: `notify to NAME:owner`.
 */
export function allowing(toolbox: Toolbox, allowed: Allowed, refused: (what: string) => void): Toolbox {
  return toolbox.map((tool) => ({
    ...tool,
    execute: async (input, context) => {
      const target = await targetOf(tool, input, context);
      const known =
        allowed.tools.includes(tool.name) && (target === undefined || allowed.destinations.includes(target));
      if (known) return tool.execute(input, context);
      const what = target === undefined ? tool.name : `${tool.name} to ${target}`;
      refused(what);
      const allow = '`wooster schedule rehearse JOB --pin` allows more';
      const why = `${what} is not something that the owner allowed for this job; it was not done. ${allow}`;
      throw new AssistantError('bad_usage', why, { hint: 'The owner sees there what it would do.' });
    },
  }));
}

async function targetOf(tool: Tool, input: unknown, context: ToolContext): Promise<string | undefined> {
  const recipient = await tool.policy.recipient?.(input, context);
  if (recipient) return `${recipient.channel}:${recipient.address}`;
  return placeOf(tool.policy.destination?.(input));
}

/** Only scheme, host and port of an address: the page may differ from run to run. Any other text as it is. */
function placeOf(destination: string | undefined): string | undefined {
  const url = URL.parse(destination ?? '');
  return url && url.origin !== 'null' ? url.origin : destination;
}
