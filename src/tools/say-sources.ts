import type { Tool } from './tool.ts';

/** Where the text of a tool's results may come from, besides the call itself, for people. */
export function saySources({ provenance: { readsFrom } }: Pick<Tool, 'provenance'>): string {
  if (readsFrom === undefined) return 'outside';
  if (typeof readsFrom === 'function') return 'what the call names';
  const names = readsFrom.flatMap((source) => (typeof source === 'string' ? source : []));
  return names.length === 0
    ? 'nowhere else'
    : names.map((name) => (/^file:/u.test(name) ? 'its file' : name)).join(', ');
}
