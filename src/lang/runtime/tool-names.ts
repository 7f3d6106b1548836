import type { Toolbox } from '../../tools/gate/toolbox.ts';
import * as builtins from './builtin-tools.ts';
import { isBuiltin } from './builtin-tools.ts';

/** The tools of the assistant, by the names that programs call them. */
export function toolNames(toolbox: Pick<Toolbox, 'list'>): string[] {
  const own = Object.values(builtins).flatMap((each) =>
    typeof each === 'object' && isBuiltin(each) ? [each.name] : [],
  );
  return [...toolbox.list().flatMap(({ name, functionName }) => [name, functionName]), ...own];
}
