import { readFile, stat } from 'node:fs/promises';
import { silentLog } from '../../base/log.ts';
import type { FileChange, FileLocation } from '../../base/turn.ts';
import type { Tool } from '../tool.ts';
import { pathOf } from './origins.ts';
import { toolContext } from './tool-call.ts';
import type { CallScope } from './types.ts';

/** A text that is longer is not shown as a change. */
const MOST_BYTES = 256 * 1024;

/** The files that a call names, and what becomes of them; of no use to any decision. */
export interface TouchedFiles {
  readonly locations: { readonly locations?: readonly FileLocation[] };
  /** Their texts now. Nothing is read for a frontend that does not show it. */
  read(): Promise<Texts>;
  changesSince(before: Texts): Promise<{ readonly changes?: readonly FileChange[] }>;
}

type Texts = ReadonlyMap<string, string | undefined>;

/** By the names that its tool gives to what it reads and writes. */
export function filesOf(tool: Tool | undefined, input: unknown, scope: CallScope): TouchedFiles {
  const paths = tool ? pathsOf(tool, input, scope) : [];
  const isShown = tool?.policy.effect === 'local' && scope.context.showsChanges === true;
  const read = async () => new Map(await Promise.all((isShown ? paths : []).map(textAt)));
  return {
    locations: paths.length === 0 ? {} : { locations: paths.map((path) => ({ path })) },
    read,
    changesSince: async (before) => {
      const changes = [...(await read())].flatMap(([path, after]) => changeOf(path, before.get(path), after));
      return changes.length === 0 ? {} : { changes };
    },
  };
}

function pathsOf({ provenance }: Tool, input: unknown, scope: CallScope): readonly string[] {
  const context = toolContext(scope, scope.context.signal, silentLog, undefined);
  try {
    const named = [provenance.readsFrom?.(input, context, undefined), provenance.writesTo?.(input, context, undefined)];
    return [...new Set(named.flat().flatMap((thing) => (thing === undefined ? [] : (pathOf(thing) ?? []))))];
  } catch {
    // An input that is not valid is reported by the call itself.
    return [];
  }
}

async function textAt(path: string): Promise<[string, string | undefined]> {
  const size = await stat(path).then(
    (found) => (found.isFile() ? found.size : Number.POSITIVE_INFINITY),
    () => undefined,
  );
  if (size === undefined) return [path, undefined];
  return [path, size > MOST_BYTES ? TOO_LONG : await readFile(path, 'utf8').catch(() => TOO_LONG)];
}

/** Stands for a text that is not shown. */
const TOO_LONG = '\u0000';

function changeOf(path: string, before: string | undefined, after: string | undefined): readonly FileChange[] {
  if (before === after || before === TOO_LONG || after === TOO_LONG) return [];
  return [{ path, ...(before !== undefined && { before }), ...(after !== undefined && { after }) }];
}
