import type { Plugin } from './definition.ts';

/** A service named in `uses`, and whether it is optional. */
export function readUse(use: string): { readonly name: string; readonly optional: boolean } {
  return use.endsWith('?') ? { name: use.slice(0, -1), optional: true } : { name: use, optional: false };
}

/**
 * Put providers of services before their users, otherwise keeping the order. Plugins that need each other stay
 * where they are, and the first of them does not find its service.
 */
export function inLoadOrder<Each extends { readonly plugin: Plugin }>(all: readonly Each[]): Each[] {
  const ordered = new Set<Each>();
  const path = new Set<Each>();
  const visit = (each: Each) => {
    if (ordered.has(each) || path.has(each)) return;
    path.add(each);
    for (const { name } of (each.plugin.uses ?? []).map(readUse)) {
      for (const other of all) if (other.plugin.provides?.includes(name)) visit(other);
    }
    path.delete(each);
    ordered.add(each);
  };
  for (const each of all) visit(each);
  return [...ordered];
}
