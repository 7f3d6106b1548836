import { AssistantError } from '../base/errors.ts';
import { nearest } from '../base/text.ts';
import type { Tool } from '../tools/tool.ts';

/** The name under which every plugin's use of the global `fetch` is limited. */
const PLUGINS = 'plugin';

/**
 * Reject limits for names that do not exist: a typo would otherwise silently limit nothing.
 *
 * @param entries `EGRESS_TOOL_HOSTS`: `tool=host`.
 * @param callers what else reaches the network: channels, plugins.
 * @throws AssistantError `bad_setting`.
 */
export function checkToolHosts(entries: readonly string[], tools: readonly Tool[], callers: readonly string[]): void {
  const online = tools.filter((tool) => tool.policy.network);
  const known = new Set([...online.map(({ name }) => name), ...callers, PLUGINS]);
  for (const entry of entries) {
    const [name = '', host = ''] = entry.split('=');
    if (host.trim() === '') {
      const hint = 'Write tool=host or tool=*.host, separated by commas.';
      throw new AssistantError('bad_setting', `EGRESS_TOOL_HOSTS: "${entry}" names no host.`, { hint });
    }
    if (known.has(name)) continue;
    const guess = online.find(({ functionName }) => functionName === name)?.name ?? nearest(name, [...known]);
    throw new AssistantError('bad_setting', `EGRESS_TOOL_HOSTS: nothing called "${name}" reaches the network.`, {
      hint: guess ? `Did you mean "${guess}"?` : `It can limit: ${[...known].join(', ')}.`,
    });
  }
}
