// Runs inside the isolate before any script, with nothing but ECMAScript around it. Everything it uses later is
// captured here: a script may overwrite every global, but not what this closure holds.
(() => {
  const G = globalThis;
  const { post, block } = G.__host;
  delete G.__host;

  const { apply, construct, ownKeys } = Reflect;
  const { defineProperty, freeze, create } = Object;
  const { stringify, parse } = JSON;
  const NativePromise = Promise;
  const NativeError = Error;
  const NativeDate = Date;
  const NativeMap = Map;
  const NativeSet = Set;
  const TextOf = String;
  const bind =
    (fn) =>
    (self, ...args) =>
      apply(fn, self, args);
  const then = bind(Promise.prototype.then);
  const mapGet = bind(Map.prototype.get);
  const mapSet = bind(Map.prototype.set);
  const mapDelete = bind(Map.prototype.delete);
  const errorIds = new WeakMap();
  const idOf = bind(WeakMap.prototype.get);
  const keepId = bind(WeakMap.prototype.set);
  const mapForEach = bind(Map.prototype.forEach);
  const setForEach = bind(Set.prototype.forEach);
  const slice = bind(String.prototype.slice);
  const codeAt = bind(String.prototype.charCodeAt);
  const reject = bind(Promise.reject);
  const resolve = bind(Promise.resolve);
  const all = bind(Promise.all);
  const nothing = () => {};

  /** Filled by `setup` before a script runs. */
  const state = {
    limits: null,
    calls: 0,
    logChars: 0,
    logLines: 0,
    dropped: 0,
    nextId: 1,
    lastFailure: undefined,
    finished: false,
    over: false,
  };
  const waiting = new NativeMap();
  const memory = new NativeMap();
  const modules = new NativeMap();
  const tracked = new NativeMap();
  let pending = 0;
  let outcome;

  class ToolError extends NativeError {
    constructor(message, tool) {
      super(message);
      defineProperty(this, 'name', { value: 'ToolError', configurable: true, writable: true });
      if (tool !== undefined) defineProperty(this, 'tool', { value: tool, configurable: true, writable: true });
    }
  }

  function cap(text, chars) {
    return text.length <= chars ? text : slice(text, 0, chars);
  }

  /** JSON has no Map, Set or Error; scripts put them into results all the same. */
  function plain(_key, value) {
    if (typeof value !== 'object' || value === null) return typeof value === 'function' ? '[function]' : value;
    if (value instanceof NativeMap) {
      const record = create(null);
      mapForEach(value, (inner, key) => {
        record[typeof key === 'symbol' ? '[symbol]' : TextOf(key)] = inner;
      });
      return record;
    }
    if (value instanceof NativeSet) {
      const list = [];
      setForEach(value, (inner) => defineProperty(list, list.length, element(inner)));
      return list;
    }
    return value instanceof NativeError ? errorText(value) : value;
  }

  function element(value) {
    return { value, writable: true, enumerable: true, configurable: true };
  }

  function toJson(value, what) {
    let text;
    try {
      text = stringify(value);
    } catch (error) {
      throw new NativeError(`${what} cannot be written as JSON: ${cap(errorText(error), 300)}`);
    }
    return typeof text === 'string' ? text : 'null';
  }

  /** Whether a JSON text has more levels than the other side reads. */
  function isDeep(json) {
    const { maxDepth } = state.limits;
    if (json.length <= 2 * maxDepth) return false;
    let depth = 0;
    let inText = false;
    for (let i = 0; i < json.length; i++) {
      const code = codeAt(json, i);
      if (inText && code === 92) i += 1;
      else if (code === 34) inText = !inText;
      else if (inText) continue;
      else if (code === 91 || code === 123) depth += 1;
      else if (code === 93 || code === 125) depth -= 1;
      if (depth > maxDepth) return true;
    }
    return false;
  }

  function deepText(what) {
    return `${what} is nested deeper than ${state.limits.maxDepth} levels`;
  }

  function readString(object, key) {
    try {
      const value = object[key];
      return typeof value === 'string' ? value : '';
    } catch {
      return '';
    }
  }

  function errorText(error) {
    if (typeof error !== 'object' || error === null) {
      try {
        return TextOf(error);
      } catch {
        return 'an unreadable value';
      }
    }
    const message = readString(error, 'message');
    const name = readString(error, 'name');
    return name && message ? `${name}: ${message}` : message || name || 'an object that is no error';
  }

  /** Scripts may throw anything: text and numbers say too little by themselves. */
  function thrownText(error) {
    const named =
      typeof error === 'object' && error !== null && readString(error, 'name') && readString(error, 'message');
    return named ? errorText(error) : `Uncaught ${errorText(error)}`;
  }

  function failureText(reply) {
    return typeof reply === 'string' ? reply : reply.error;
  }

  function identified(failure, { id }) {
    if (id !== undefined) {
      keepId(errorIds, failure, id);
      state.lastFailure = id;
    }
    return failure;
  }

  /** By this the host knows the call that failed; an error of the script's own says it in other words. */
  function failureId(error) {
    if (typeof error !== 'object' || error === null) return undefined;
    return idOf(errorIds, error) ?? (readString(error, 'name') === 'Error' ? state.lastFailure : undefined);
  }

  function describeError(error) {
    const stack = typeof error === 'object' && error !== null ? readString(error, 'stack') : '';
    return stringify({ text: cap(thrownText(error), 4000), stack: cap(stack, 8000), id: failureId(error) });
  }

  function logText(value) {
    if (typeof value === 'string') return value;
    if (typeof value === 'object' && value !== null && !(value instanceof NativeError)) {
      try {
        const text = stringify(value, plain);
        if (typeof text === 'string') return text;
      } catch {
        // Cyclic values and BigInts fall through to their plain text.
      }
    }
    if (typeof value === 'bigint') return `${value}n`;
    return errorText(value);
  }

  function log(...values) {
    let line = '';
    for (let i = 0; i < values.length; i++) line += (i === 0 ? '' : ' ') + logText(values[i]);
    line = cap(line, state.limits.maxLogLineChars);
    state.logChars += line.length + 1;
    state.logLines += 1;
    if (state.logChars > state.limits.maxLogChars || state.logLines > state.limits.maxLogLines) state.dropped += 1;
    else post('log', 0, '', line);
  }

  function argumentsText(name, args) {
    const list = [];
    for (let i = 0; i < args.length; i++) defineProperty(list, i, element(args[i]));
    const json = toJson(list, `an argument of ${name}`);
    if (json.length > state.limits.maxArgumentChars) {
      throw new ToolError(
        `the arguments of ${name} have ${json.length} characters, ${state.limits.maxArgumentChars} is the limit`,
        name,
      );
    }
    if (isDeep(json)) throw new ToolError(deepText(`an argument of ${name}`), name);
    return json;
  }

  function count(name) {
    state.calls += 1;
    if (state.calls > state.limits.maxCalls) {
      throw new ToolError(`${name} was not called: a script may make ${state.limits.maxCalls} calls`, name);
    }
  }

  function isThenable(value) {
    try {
      return typeof value === 'object' && value !== null && typeof value.then === 'function';
    } catch {
      return false;
    }
  }

  function anyThenable(args) {
    for (let i = 0; i < args.length; i++) if (isThenable(args[i])) return true;
    return false;
  }

  /** The promise form: many may be under way at once. */
  function callAsync(name, args) {
    if (anyThenable(args)) return quiet(then(all(NativePromise, args), (ready) => callAsync(name, ready)));
    const failure = new ToolError('', name);
    let json;
    try {
      count(name);
      json = argumentsText(name, args);
    } catch (error) {
      return quiet(reject(NativePromise, error));
    }
    const id = state.nextId++;
    const promise = new NativePromise((ok, no) => mapSet(waiting, id, { ok, no, failure }));
    // Fails where the stack is used up: then nothing is waited for.
    post('call', id, name, json);
    pending += 1;
    return quiet(promise);
  }

  /** The blocking form: the answer is the value itself. */
  function callBlocking(name, args) {
    count(name);
    const answer = block(name, argumentsText(name, args));
    const value = parse(slice(answer, 1));
    if (answer[0] === '1') return value;
    throw identified(new ToolError(failureText(value), name), value);
  }

  /** A rejection that nobody looks at must not end the run; it is in the list of calls. */
  function quiet(promise) {
    then(promise, nothing, nothing);
    return promise;
  }

  /** A statement that starts something: the script is not over before it is. Its failure is the script's failure. */
  function track(value) {
    if (!isThenable(value)) return value;
    const id = state.nextId++;
    mapSet(tracked, id, true);
    const promise = resolve(NativePromise, value);
    const end = () => mapDelete(tracked, id);
    then(promise, end, (error) => {
      end();
      if (outcome === undefined || outcome.ok) outcome = { ok: false, error };
    });
    return value;
  }

  function fire(name, args) {
    if (anyThenable(args)) {
      track(then(all(NativePromise, args), (ready) => fire(name, ready)));
      return;
    }
    count(name);
    post('fire', 0, name, argumentsText(name, args));
  }

  function store(key, value) {
    if (typeof key !== 'string') throw new TypeError('store(key, value): the key must be text');
    if (isThenable(value)) {
      track(then(resolve(NativePromise, value), (ready) => store(key, ready)));
      return;
    }
    count('store');
    const json = toJson(value, `the value of "${cap(key, 100)}"`);
    if (json.length > state.limits.maxArgumentChars) {
      throw new NativeError(
        `store("${cap(key, 100)}") has ${json.length} characters, ${state.limits.maxArgumentChars} is the limit`,
      );
    }
    if (isDeep(json)) throw new NativeError(deepText(`the value of "${cap(key, 100)}"`));
    mapSet(memory, key, json);
    post('store', 0, key, json);
  }

  function recall(key) {
    const json = mapGet(memory, key);
    return json === undefined ? undefined : parse(json);
  }

  /** For `.then` and its kin on something that a blocking call has already turned into a value. */
  function chain(make) {
    let value;
    try {
      value = make();
    } catch (error) {
      if (error instanceof ToolError) return quiet(reject(NativePromise, error));
      throw error;
    }
    return isThenable(value) || value === undefined || value === null ? value : resolve(NativePromise, value);
  }

  /** `after(list.forEach(each(async …)))`: the next statement must find the work done. */
  let started = create(null);

  function each(fn) {
    const own = { list: [] };
    started = own;
    return (...args) => {
      const result = fn(...args);
      defineProperty(own.list, own.list.length, element(result));
      return result;
    };
  }

  function after() {
    return then(all(NativePromise, started.list), nothing);
  }

  function take(name, key) {
    const space = mapGet(modules, name);
    if (key === '*') return space;
    if (key in space) return space[key];
    throw new SyntaxError(
      `module "${name}" has no export "${key}"; it has: ${ownKeys(space)
        .filter((k) => typeof k === 'string')
        .join(', ')}`,
    );
  }

  function visible(name, value) {
    defineProperty(G, name, { value, writable: true, enumerable: false, configurable: true });
  }

  function named(name, fn) {
    return defineProperty(fn, 'name', { value: name });
  }

  function harden() {
    for (const name of ['WebAssembly', 'SharedArrayBuffer', 'Atomics', 'WeakRef', 'FinalizationRegistry'])
      delete G[name];
    for (const name of ['resize', 'transfer', 'transferToFixedLength', 'resizable', 'maxByteLength']) {
      delete ArrayBuffer.prototype[name];
    }
    const NativeBuffer = ArrayBuffer;
    function SafeBuffer(bytes) {
      if (!new.target) throw new TypeError("Constructor ArrayBuffer requires 'new'");
      return construct(NativeBuffer, [bytes], new.target);
    }
    SafeBuffer.prototype = NativeBuffer.prototype;
    SafeBuffer.isView = NativeBuffer.isView;
    NativeBuffer.prototype.constructor = SafeBuffer;
    visible('ArrayBuffer', named('ArrayBuffer', SafeBuffer));
  }

  /** The clock stands still while a script runs and chance is seeded: a recorded script can be run again. */
  function freezeTime(now, seed) {
    function ScriptDate(...args) {
      if (!new.target) return new NativeDate(now).toString();
      return construct(NativeDate, args.length === 0 ? [now] : args, new.target);
    }
    ScriptDate.prototype = NativeDate.prototype;
    ScriptDate.now = () => now;
    ScriptDate.parse = NativeDate.parse;
    ScriptDate.UTC = NativeDate.UTC;
    NativeDate.prototype.constructor = ScriptDate;
    visible('Date', named('Date', ScriptDate));
    let bits = seed >>> 0 || 1;
    Math.random = named('random', () => {
      bits ^= bits << 13;
      bits ^= bits >>> 17;
      bits ^= bits << 5;
      return (bits >>> 0) / 4294967296;
    });
  }

  function forms(functions) {
    const wide = { p: create(null), b: create(null), p1: create(null), b1: create(null) };
    const tools = create(null);
    for (let i = 0; i < functions.length; i++) {
      const { name, kind, key } = functions[i];
      const at = key ?? name;
      const p = kind === 'fire' ? (...args) => fire(name, args) : (...args) => callAsync(name, args);
      const b = kind === 'fire' ? p : (...args) => callBlocking(name, args);
      wide.p[at] = named(name, p);
      wide.b[at] = named(name, b);
      wide.p1[at] = (first) => p(first);
      wide.b1[at] = (first) => b(first);
      if (functions[i].tool) tools[at] = b;
      if (functions[i].global) visible(at, b);
    }
    visible('tools', freeze(tools));
    return wide;
  }

  function setup(json) {
    const options = parse(json);
    state.limits = options.limits;
    freezeTime(options.now, options.seed);
    const wide = forms(options.functions);
    for (const key of ownKeys(options.memory)) mapSet(memory, key, stringify(options.memory[key]));
    for (const key of ownKeys(options.globals)) visible(key, options.globals[key]);
    visible('ToolError', ToolError);
    visible('log', log);
    visible('store', store);
    visible('recall', recall);
    const lines = create(null);
    for (const name of ['log', 'info', 'warn', 'error', 'debug', 'trace', 'dir', 'table'])
      lines[name] = named(name, (...args) => log(...args));
    visible('console', freeze(lines));
    for (const name of options.modules) {
      mapSet(modules, name, G[`__module:${name}`]);
      delete G[`__module:${name}`];
    }
    state.wide = freeze({ ...wide, chain, track, each, after, take });
  }

  /** @returns whether the script had come to its end before the reply: then something else was waited for. */
  function settle(id, ok, json) {
    const waiter = mapGet(waiting, id);
    if (waiter === undefined) return state.over;
    mapDelete(waiting, id);
    pending -= 1;
    if (ok) waiter.ok(parse(json));
    else {
      const { failure } = waiter;
      const reply = parse(json);
      const message = failureText(reply);
      identified(failure, reply);
      const stack = readString(failure, 'stack');
      defineProperty(failure, 'message', { value: message, configurable: true, writable: true });
      defineProperty(failure, 'stack', {
        value: `ToolError: ${message}${slice(stack, 9)}`,
        configurable: true,
        writable: true,
      });
      waiter.no(failure);
    }
    return state.over;
  }

  /** Called by the host behind the end and each reply after it: over is over only when nothing is under way any more. */
  function check() {
    if (!state.over || state.finished || pending > 0) return;
    let busy = false;
    mapForEach(tracked, () => {
      busy = true;
    });
    if (busy && outcome.ok) return;
    state.finished = true;
    if (outcome.ok) finish(outcome.value);
    else post('fail', state.dropped, '', describeError(outcome.error));
  }

  function finish(value) {
    if (value === undefined) return post('done', state.dropped, '', '');
    let json;
    try {
      json = stringify(typeof value === 'symbol' ? TextOf(value) : value, plain);
    } catch (error) {
      return post(
        'fail',
        state.dropped,
        '',
        describeError(new NativeError(`the result cannot be written as JSON: ${errorText(error)}`)),
      );
    }
    if (typeof json !== 'string') return post('done', state.dropped, '', '');
    if (json.length > state.limits.maxResultChars || isDeep(json)) {
      json = stringify({ truncated: true, chars: json.length, preview: slice(json, 0, 2000) });
    }
    post('done', state.dropped, '', json);
  }

  async function go(fn) {
    try {
      const value = await fn(state.wide);
      outcome ??= { ok: true, value };
    } catch (error) {
      outcome = { ok: false, error };
    }
    state.over = true;
    if (!outcome.ok) pending = 0;
    post('over', 0, '', '');
  }

  function run(fn) {
    void go(fn);
  }

  harden();
  return { setup, settle, check, run };
})();
