import { readFileSync, realpathSync } from 'node:fs';
import { type ResolveHookContext, type ResolveHookSync, registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isRecord, parseJson } from '../base/json.ts';
import { packageInfo } from './child/package-info.ts';
import type { Plugin } from './definition.ts';
import type { FoundPlugin } from './discover.ts';
import { adaptLegacy, isLegacyClass, type ServiceMap } from './legacy.ts';
import { type Manifest, readManifest } from './manifest.ts';

/** Where a plugin's code is loaded from, and which copy of it to use. */
export interface Opening {
  readonly entry: string;
  /** Modules are cached by URL, so each new text, and each home in the process, gets a URL of its own. */
  readonly copy: string | undefined;
  readonly services: ServiceMap;
}

/** @throws Error when it cannot be imported or exports no plugin. */
export async function openPlugin({ entry, copy, services }: Opening): Promise<Plugin> {
  const url = pathToFileURL(entry);
  if (copy !== undefined) url.searchParams.set('copy', copy);
  const module: { default?: unknown } = await import(url.href);
  const exported = module.default;
  if (isLegacyClass(exported)) return adaptLegacy(exported, services);
  if (!isRecord(exported) || typeof exported.name !== 'string') {
    throw new TypeError('its index file must export a plugin (definePlugin) by default');
  }
  return exported as unknown as Plugin;
}

/** A plugin's permissions, if they are known without running it. */
export function manifestOf({ root, origin }: FoundPlugin): Manifest | undefined {
  return origin === 'added' ? packageInfo(root).manifest : manifestIn(root);
}

/** The field `wooster` of the folder's package.json, which says what the plugin may do without running it. */
export function manifestIn(folder: string): Manifest | undefined {
  let text: string;
  try {
    text = readFileSync(join(folder, 'package.json'), 'utf8');
  } catch {
    return undefined;
  }
  const read = parseJson(text);
  return isRecord(read) && isRecord(read.wooster) ? readManifest(read.wooster) : undefined;
}

/** What a plugin shares with the program, so that a folder without packages of its own can import it. */
const OFFERED = /^(?:@langchain\/core|zod)(?:\/|$)/u;

/** A version that the plugin's own folder has comes first. */
function own(specifier: string, context: ResolveHookContext, next: Parameters<ResolveHookSync>[2]) {
  try {
    return next(specifier, context);
  } catch (error) {
    if (!isRecord(error) || error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
    return next(specifier, { ...context, parentURL: import.meta.url });
  }
}

/** Lets plugins import `#plugin`; other code of the process may mean something else by that name. */
export interface PluginImports {
  /** Files in this folder belong to a plugin. */
  allow(folder: string): void;
  deregister(): void;
}

/** A copy's imports from its own folder belong to the same copy. */
export function resolvePluginImports(): PluginImports {
  const barrel = new URL('./plugin.ts', import.meta.url).href;
  const ours = new Set<string>();
  const hook = registerHooks({
    resolve: (specifier, context, next) => {
      const dir = [...ours].find((each) => context.parentURL?.startsWith(each));
      if (dir === undefined) return next(specifier, context);
      if (specifier === '#plugin') return { url: barrel, shortCircuit: true };
      const resolved = OFFERED.test(specifier) ? own(specifier, context, next) : next(specifier, context);
      const copy = URL.parse(context.parentURL ?? '')?.searchParams.get('copy');
      if (!copy || !resolved.url.startsWith(dir) || resolved.url.includes('/node_modules/')) return resolved;
      const url = new URL(resolved.url);
      url.searchParams.set('copy', copy);
      return { ...resolved, url: url.href };
    },
  });
  return {
    // Node identifies a module by its real path, resolving symbolic links.
    allow: (folder) => void ours.add(`${pathToFileURL(realpathSync(folder)).href}/`),
    deregister: () => hook.deregister(),
  };
}
