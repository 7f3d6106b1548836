import { runInNewContext } from 'node:vm';
import { compileProgram, type Entry } from '../lang/compile/compile.ts';
import { GUEST } from '../lang/compile/guest.ts';
import { checkedProgram, type Files } from './checked-programs.ts';

export interface CompiledRun {
  readonly entry?: Entry;
  readonly args?: Readonly<Record<string, unknown>>;
  /** Answers what the program asks besides printing. */
  readonly host?: (op: string, payload: unknown) => unknown;
}

/** What the first of some sound programs does outside of any box: what it prints, and what it came to. */
export async function runCompiled(files: Files, { entry, args = {}, host = () => null }: CompiledRun = {}) {
  const checked = checkedProgram(files, ['queryRAG']);
  if (!checked.ok)
    throw new Error(
      JSON.stringify(
        checked.modules.flatMap(({ diagnostics }) => diagnostics),
        null,
        1,
      ),
    );
  const compiled = compileProgram(checked, entry);
  const printed: unknown[] = [];
  const serve = async (op: string, payload: unknown) => {
    if (op !== 'print') return { ok: await host(op, payload) };
    printed.push(payload);
    return { ok: null };
  };
  const source = `(async () => {\n${GUEST}\n${compiled.code}\nreturn JSON.stringify(await $.main($program));\n})()`;
  const text = await runInNewContext(source, { host: serve, $setup: { args, shapes: compiled.shapes } });
  const { ok, error, at } = JSON.parse(text) as { ok?: unknown; error?: Record<string, unknown>; at?: number };
  const { line, column } = compiled.places[at ?? -1] ?? {};
  const failed = error && `${line}:${column} ${String(error.name)}: ${String(error.message)}`;
  return { printed, ok, failed, compiled };
}
