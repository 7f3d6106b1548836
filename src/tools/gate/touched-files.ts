import { readFile, stat } from 'node:fs/promises';
import type { FileChange, FileLocation } from '../../base/turn.ts';
import type { Tool } from '../tool.ts';
import { FILE, pathBehind } from './origins.ts';
import { askingContext } from './tool-call.ts';
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

/** By the names that its tool gives to what it reads and writes. Nothing is asked for a frontend that shows none. */
export async function filesOf(tool: Tool | undefined, input: unknown, scope: CallScope): Promise<TouchedFiles> {
  const paths = tool && scope.context.showsChanges === true ? await pathsOf(tool, input, scope) : [];
  const isChanged = tool?.policy.effect === 'local';
  const read = async () => new Map(await Promise.all((isChanged ? paths : []).map(textAt)));
  return {
    locations: paths.length === 0 ? {} : { locations: paths.map((path) => ({ path })) },
    read,
    changesSince: async (before) => {
      const changes = [...(await read())].flatMap(([path, after]) => changeOf(path, before.get(path), after));
      return changes.length === 0 ? {} : { changes };
    },
  };
}

async function pathsOf({ provenance }: Tool, input: unknown, scope: CallScope): Promise<readonly string[]> {
  const { readsFrom, writesTo } = provenance;
  const context = askingContext(scope);
  try {
    const read = typeof readsFrom === 'function' ? await readsFrom(input, context) : (readsFrom ?? []);
    const named = [read, writesTo?.(input, context, undefined) ?? []].flat();
    return [...new Set(named.flatMap((thing) => (typeof thing === 'string' ? (pathBehind(FILE, thing) ?? []) : [])))];
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
