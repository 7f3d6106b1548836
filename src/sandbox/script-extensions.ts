/** A function cannot have the name: it is taken, or scripts could not call it. */
export class NameRefused extends TypeError {}

/** What plugins offer to scripts besides tools: modules and functions. */
export interface ScriptExtensions {
  /**
   * Make ES module source importable by `name`. The latest source for a name wins.
   *
   * @returns a function that removes it again.
   */
  addModule(name: string, source: string): () => void;
  /**
   * Make a function callable as `name(...)`. Arguments and result cross as JSON; it may be async, and what it throws
   * is a catchable error in the script.
   *
   * @throws NameRefused when `name` is not an identifier or is taken.
   */
  addFunction(name: string, fn: ScriptFunction): () => void;
  modules(): Readonly<Record<string, string>>;
  functions(): ReadonlyMap<string, ScriptFunction>;
}

/** Arguments and result are copied as JSON. */
export type ScriptFunction = (...args: unknown[]) => unknown;

/** An empty registry; the program has one. */
export function createScriptExtensions(): ScriptExtensions {
  const modules = new Map<string, string>();
  const functions = new Map<string, ScriptFunction>();
  return {
    addModule(name, source) {
      modules.set(name, source);
      return () => void (modules.get(name) === source && modules.delete(name));
    },
    addFunction(name, fn) {
      if (!/^[A-Za-z_$][\w$]*$/u.test(name)) throw new NameRefused(`"${name}" is not a plain function name`);
      if (functions.has(name)) throw new NameRefused(`a script function "${name}" exists already`);
      functions.set(name, fn);
      return () => void functions.delete(name);
    },
    modules: () => Object.fromEntries(modules),
    functions: () => functions,
  };
}
