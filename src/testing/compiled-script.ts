import { compileScript } from '../sandbox/compile/compile.ts';
import type { Compiled, CompileWorld } from '../sandbox/compile/types.ts';

const WORLD: CompileWorld = {
  functions: new Set(['add', 'item']),
  tools: new Set(['add', 'item', 'find', 'dotted.tool']),
  modules: ['double', 'tables'],
};

/** A script of a world where `add` and `item` are called directly or through `tools`. */
export function compiled(source: string, world: Partial<CompileWorld> = {}): Compiled {
  return compileScript(source, { ...WORLD, ...world });
}

/** What becomes of a script without imports, without the function around it: `$w0` is how it reaches its surroundings. */
export function compiledBody(source: string): string {
  const script = compiled(source);
  if (!script.ok) throw new Error(script.message);
  const [, body] = /^\(async\(\$w0\)=>\{\n(.*)\n\}\)$/su.exec(script.code) ?? [];
  if (body === undefined) throw new Error(`not a function without imports: ${script.code}`);
  return body;
}
