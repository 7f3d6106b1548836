import { preview } from '../base/text.ts';
import { visibleLine } from '../base/visible-characters.ts';
import type { PluginStatus } from '../plugins/slot.ts';

const DETAIL_CHARS = 120;

/** One line about the plugins that should work and do not; undefined when all do. */
export function brokenPluginsLine(plugins: readonly PluginStatus[]): string | undefined {
  const [first, ...others] = plugins.filter(({ state }) => state === 'failed');
  if (!first) return undefined;
  const why = preview(visibleLine(first.detail), DETAIL_CHARS).replace(/\.$/u, '');
  const more = others.length > 0 ? `; nor do ${others.map(({ name }) => name).join(', ')}` : '';
  return `Plugin ${first.name} does not work: ${why}${more}. \`wooster plugin list\` says more.`;
}
