/* biome-ignore-all lint/suspicious/noTemplateCurlyInString: the programs have the templates */
import { readdirSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { silentLog } from '../base/log.ts';
import type { BridgeReply, ScriptOptions, ScriptResult } from './contract.ts';
import { createSandbox } from './sandbox.ts';

/**
 * What the program may come to: `stopped` by a limit, `failed` in any way, `free` (anything, as long as it ends and the
 * host stands), or exactly the given value.
 */
type Expected = 'stopped' | 'failed' | 'free' | { readonly value: unknown };

type Hostile = readonly [name: string, source: string, expected: Expected];

const is = (value: unknown): Expected => ({ value });

/** Programs that will not end by themselves. */
const TIME: readonly Hostile[] = [
  ['a loop', 'while (true) {}', 'stopped'],
  ['a loop in a microtask', 'await Promise.resolve().then(() => { for (;;); })', 'stopped'],
  ['a loop after an await', 'await null; for (;;);', 'stopped'],
  ['a loop after a tool call', 'await add(1, 1); for (;;);', 'stopped'],
  ['an asynchronous spin', 'while (true) await null;', 'stopped'],
  ['a microtask bomb', 'const f = () => Promise.resolve().then(f); await f(); await new Promise(() => {});', 'stopped'],
  [
    'an exponential microtask bomb',
    'const f = () => { Promise.resolve().then(f); Promise.resolve().then(f); }; f(); await new Promise(() => {});',
    'stopped',
  ],
  ['a loop of logs', "while (true) log('x');", 'stopped'],
  ['a loop of blocking calls', 'for (;;) { try { tools["add"](1, 1); } catch {} }', 'stopped'],
  ['a loop of calls that are caught', 'for (;;) { try { await add(1, 1); } catch {} }', 'stopped'],
  ['a promise that never settles', 'await new Promise(() => {});', 'stopped'],
  ['a tool that never answers', 'await hang();', 'stopped'],
  ['a blocking tool that never answers', '[1].filter(() => hang());', 'stopped'],
  ['a regular expression', "/^(a+)+$/.test('a'.repeat(40) + 'b');", 'stopped'],
  ['a comparator that loops', '[2, 1].sort(() => { for (;;); });', 'stopped'],
  ['a getter that loops', '({ get x() { for (;;); } }).x;', 'stopped'],
  ['toString that loops', '`${{ toString() { for (;;); } }}`;', 'stopped'],
  ['toJSON that loops', '({ toJSON() { for (;;); } })', 'stopped'],
  ['then that loops', 'await ({ then() { for (;;); } });', 'stopped'],
  ['a Date spin', 'const end = Date.now() + 1e9; while (Date.now() < end);', 'stopped'],
  ['prepareStackTrace that loops', "Error.prepareStackTrace = () => { for (;;); }; throw new Error('x');", 'stopped'],
  [
    'a message getter that loops',
    "const e = new Error('x'); Object.defineProperty(e, 'message', { get() { for (;;); } }); Object.defineProperty(e, 'stack', { value: 1 }); throw e;",
    'stopped',
  ],
  [
    'a stack getter that loops',
    "const e = new Error('x'); Object.defineProperty(e, 'stack', { get() { for (;;); } }); throw e;",
    'stopped',
  ],
  ['indexOf on a holey array', 'Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1);', 'stopped'],
  ['includes on an array-like', 'Array.prototype.includes.call({ length: 2 ** 53 - 1 }, 1);', 'stopped'],
  ['lastIndexOf', 'Array.prototype.lastIndexOf.call({ length: 2 ** 53 - 1 }, 1);', 'stopped'],
  ['reverse', 'Array.prototype.reverse.call({ length: 2 ** 53 - 1 });', 'stopped'],
  ['copyWithin', 'Array.prototype.copyWithin.call({ length: 2 ** 53 - 1 }, 1, 0);', 'stopped'],
  ['join', "Array.prototype.join.call({ length: 2 ** 32 - 1 }, '');", 'failed'],
  [
    'JSON of a long Proxy',
    'JSON.stringify(new Proxy([], { get: (t, k) => (k === "length" ? 2 ** 32 - 1 : 1) }));',
    'failed',
  ],
  ['BigInt power', '(7n ** 9999999n).toString().length;', 'free'],
  ['BigInt text', "BigInt('9'.repeat(3000000)) * BigInt('9'.repeat(3000000));", 'free'],
  [
    'sorting five million',
    'Array.from({ length: 5e6 }, (_, i) => (i * 7919) % 5e6).sort((a, b) => a - b).length;',
    'free',
  ],
  ['sorting typed arrays', 'new Float64Array(8e6).map(() => Math.random()).sort((a, b) => a - b).length;', 'free'],
  [
    'localeCompare sort',
    "Array.from({ length: 3e5 }, (_, i) => 'ä' + i).sort((a, b) => a.localeCompare(b)).length;",
    'free',
  ],
  ['Intl.Segmenter', "[...new Intl.Segmenter('en').segment('a'.repeat(3e6))].length;", 'free'],
  ['a slow search', "'a'.repeat(3e6).indexOf('a'.repeat(1e6) + 'b');", 'free'],
  [
    'finally that loops in a generator',
    'function* g() { try { yield 1 } finally { for (;;); } } for (const x of g()) break;',
    'stopped',
  ],
  [
    'for await with break',
    'async function* g() { try { yield 1 } finally { await new Promise(() => {}); } } for await (const x of g()) break;',
    'stopped',
  ],
  [
    'await using that never ends',
    'await using x = { [Symbol.asyncDispose]: () => new Promise(() => {}) }; 1;',
    'failed',
  ],
  ['a generator without end', 'function* g() { for (;;) yield 1; } [...g()];', 'stopped'],
  ['replace with a loop', "'x'.replace(/x/, () => { for (;;); });", 'stopped'],
  ['a Proxy trap that loops', 'new Proxy({}, { get() { for (;;); } }).x;', 'stopped'],
  ['Symbol.toPrimitive that loops', '+{ [Symbol.toPrimitive]() { for (;;); } };', 'stopped'],
  ['an iterator that loops', '[...{ [Symbol.iterator]: () => ({ next() { for (;;); } }) }];', 'stopped'],
  ['a constructor that loops', 'new (class { constructor() { for (;;); } })();', 'stopped'],
  ['catch around a loop', 'for (;;) { try { for (;;); } catch {} finally { continue; } }', 'stopped'],
];

/** Programs that want more memory than there is. */
const MEMORY: readonly Hostile[] = [
  ['one huge array', 'new Array(1e9).fill(1).length;', 'failed'],
  ['Array.from', 'Array.from({ length: 1e9 }).length;', 'failed'],
  ['spread of a huge text', "[...'x'.repeat(2 ** 29 - 24)].length;", 'failed'],
  ['a growing array', 'const a = []; for (;;) a.push({ a: 1, b: [1, 2, 3] });', 'failed'],
  ['a growing Map of objects', 'const m = new Map(); for (let i = 0; ; i++) m.set(i, { i });', 'failed'],
  ['a growing Map of integers', 'const m = new Map(); for (let i = 0; ; i++) m.set(i, i);', 'failed'],
  [
    'a growing Map after awaits',
    'const m = new Map(); for (let i = 0; ; i++) { m.set(i, i); if (i % 1e5 === 0) await null; }',
    'failed',
  ],
  ['a growing Set', 'const s = new Set(); for (let i = 0; ; i++) s.add(`k${i}`);', 'failed'],
  ['growing properties', "const o = {}; for (let i = 0; ; i++) o['k' + i] = i;", 'failed'],
  ['growing closures', 'let f = () => 1; for (;;) { const g = f; f = () => g; }', 'failed'],
  ['a growing BigInt', 'let b = 1n; for (;;) b <<= 100000n;', 'failed'],
  ['Symbol.for', "for (let i = 0; ; i++) Symbol.for('s' + i);", 'failed'],
  ['doubling a list', 'let a = [1]; for (;;) a = a.concat(a);', 'failed'],
  ['doubling a text', "let s = 'x'; for (;;) s += s;", 'failed'],
  ['keeping doubled texts', "const k = []; let s = 'xy'.repeat(1e5); for (;;) k.push(s + k.length);", 'failed'],
  ['flattening', "let s = 'x'.repeat(2 ** 28); for (;;) s.split('').length;", 'failed'],
  ['a replace bomb', "'x'.repeat(1e6).replace(/x/g, 'y'.repeat(1e4)).length;", 'failed'],
  ['normalize', "'ﷺ'.repeat(1e7).normalize('NFKD').length;", 'free'],
  ['match', "'x'.repeat(3e7).match(/x/g).length;", 'failed'],
  ['JSON of a big list', 'JSON.stringify(Array.from({ length: 2e7 }, () => 1)).length;', 'free'],
  [
    'JSON of a shared graph',
    'let o = {}; for (let i = 0; i < 40; i++) o = { a: o, b: o }; JSON.stringify(o).length;',
    'failed',
  ],
  ['one huge typed array', 'new Uint8Array(1e9).length;', 'failed'],
  ['growing typed arrays', 'const k = []; for (;;) k.push(new Uint8Array(1e7).fill(1));', 'failed'],
  [
    'growing typed arrays in try',
    'const k = []; for (;;) { try { k.push(new Uint8Array(1e7).fill(1)); } catch {} }',
    'failed',
  ],
  ['a buffer as an array', 'Array.from(new Uint8Array(1e8)).length;', 'failed'],
  ['a resizable buffer', 'String(new ArrayBuffer(8, { maxByteLength: 4e9 }).resizable);', is('undefined')],
  [
    'many resizable buffers',
    'const k = []; for (let i = 0; i < 1e5; i++) k.push(new ArrayBuffer(8, { maxByteLength: 1e9 })); k.length;',
    'free',
  ],
  ['a shared buffer', 'new SharedArrayBuffer(1e9);', 'failed'],
  ['WebAssembly memory', 'new WebAssembly.Memory({ initial: 30000 });', 'failed'],
  ['Intl objects', "const k = []; for (;;) k.push(new Intl.DateTimeFormat('de', { dateStyle: 'full' }));", 'failed'],
  [
    'regular expressions',
    "const k = []; for (let i = 0; ; i++) k.push(new RegExp('a{' + (i % 1000) + '}b' + i));",
    'failed',
  ],
  ['functions', "const k = []; for (let i = 0; ; i++) k.push(new Function('return ' + i));", 'failed'],
  ['a huge eval', "eval('[' + '1,'.repeat(5e6) + ']').length;", 'free'],
  ['error stacks', "const k = []; for (;;) k.push(new Error('x'.repeat(1e4)).stack);", 'failed'],
  ['padStart', "'x'.padStart(2 ** 29 - 30).split('').length;", 'failed'],
];

/** Programs that go too deep. */
const STACK: readonly Hostile[] = [
  ['recursion', 'const f = () => f() + 1; f();', 'failed'],
  ['recursion that catches', 'const f = () => { try { f(); } catch { f(); } }; f();', 'stopped'],
  ['a Proxy in itself', 'const p = new Proxy({}, { get: (t, k, r) => r[k] }); p.x;', 'failed'],
  ['a getter in itself', 'const o = { get x() { return this.x; } }; o.x;', 'failed'],
  ['deep JSON', "JSON.parse('['.repeat(1e6) + ']'.repeat(1e6));", 'failed'],
  ['a deep result', 'let o = 1; for (let i = 0; i < 1e6; i++) o = [o]; o;', 'failed'],
  ['nested toString', 'let a = []; for (let i = 0; i < 1e6; i++) a = [a]; String(a).length;', 'failed'],
  ['a nested regular expression', "new RegExp('('.repeat(1e5) + ')'.repeat(1e5)).test('');", 'failed'],
  ['nested source', `${'('.repeat(20_000)}1${')'.repeat(20_000)}`, 'failed'],
  ['nested source with types', `const x: number = ${'['.repeat(15_000)}1${']'.repeat(15_000)}`, 'failed'],
  ['nested functions', `${'(() => '.repeat(3000)}1${')'.repeat(3000)}`, 'free'],
  ['a long chain', `[1]${'.concat(1)'.repeat(6000)}.length`, 'free'],
  ['a long chain of then', `Promise.resolve(1)${'.then((v) => v)'.repeat(3500)}`, 'free'],
  ['spread of ten million', 'Math.max(...new Array(1e7).fill(1));', 'failed'],
  ['apply of ten million', 'Math.max.apply(null, new Array(1e7).fill(1));', 'failed'],
  ['asynchronous recursion', 'const f = async (n) => { await null; return f(n + 1); }; await f(0);', 'failed'],
];

/** Values, errors and amounts that are hard to hand over. */
const BOUNDARY: readonly Hostile[] = [
  ['a result of 500 MB', "'x'.repeat(5e8);", 'free'],
  ['a result of two million rows', 'Array.from({ length: 2e6 }, (_, i) => ({ i }));', 'free'],
  ['a huge message', "throw new Error('x'.repeat(2e8));", 'failed'],
  ['a huge stack', "const e = new Error('x'); e.stack = 'y'.repeat(5e7); throw e;", 'failed'],
  ['a cyclic result', 'const a = {}; a.a = a; a;', 'failed'],
  ['a BigInt result', '({ n: 1n });', 'failed'],
  ['a function result', '[() => 1];', is(['[function]'])],
  ['a symbol result', "Symbol('x');", is('Symbol(x)')],
  ['a Proxy result', 'new Proxy({ a: 1 }, {});', is({ a: 1 })],
  ['a revoked Proxy result', 'const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); proxy;', 'failed'],
  ['a sparse result', 'const a = []; a[4e9] = 1; a.length = 4294967290; a;', 'failed'],
  ['a Date result', 'new Date(0);', is('1970-01-01T00:00:00.000Z')],
  ['a Map result', 'new Map([["a", 1]]);', is({ a: 1 })],
  ['a Set result', 'new Set([1, 2]);', is([1, 2])],
  ['a thenable result', '({ then(ok) { ok(5); } });', is(5)],
  ['a thenable that rejects', "({ then(ok, no) { no('bad'); } });", 'failed'],
  ['throw null', 'throw null;', 'failed'],
  ['throw undefined', 'throw undefined;', 'failed'],
  [
    'a thrown Proxy',
    "throw new Proxy({}, { get() { throw 'again'; }, getPrototypeOf() { throw 'again'; } });",
    'failed',
  ],
  ['a thrown object without prototype', 'throw Object.create(null);', 'failed'],
  [
    'a poisoned message',
    "const e = new Error('x'); Object.defineProperty(e, 'message', { get() { throw 1; } }); throw e;",
    'failed',
  ],
  ['a poisoned toString', 'throw { toString() { throw 1; } };', 'failed'],
  ['a symbol for a name', "const e = new Error('x'); e.name = Symbol('n'); throw e;", 'failed'],
  ['a rejection that nobody handles', "Promise.reject(Object.create(null)); await add(1, 1); 'end';", 'free'],
  ['a flood of logs', "for (let i = 0; i < 1e6; i++) log('x'.repeat(5000)); 'end';", 'free'],
  [
    'a flood of calls',
    'const ps = []; for (let i = 0; i < 1e5; i++) ps.push(add(i, 1).catch(() => 0)); (await Promise.all(ps)).length;',
    'free',
  ],
  ['a flood of output', "for (let i = 0; i < 1e5; i++) output('x');", 'failed'],
  ['a flood of stored values', "for (let i = 0; i < 1e5; i++) store('k' + i, i);", 'failed'],
  ['an argument of 50 MB', "await add('x'.repeat(5e7));", 'failed'],
  ['an unknown tool', 'await tools.nope(1);', 'failed'],
  ['fire and forget', "tools.add(1, 1); 'end';", is('end')],
  [
    'tools.constructor',
    'typeof tools.constructor + typeof tools.__proto__ + typeof tools.toString;',
    is('undefinedundefinedundefined'),
  ],
  ['writing to tools', "'use strict'; tools.add = 1;", 'failed'],
  ['a call after the end', "Promise.resolve().then(() => add(1, 1)).then(() => add(2, 2)); 'end';", is('end')],
  [
    '__proto__ in an argument',
    'await echo(JSON.parse(\'{"__proto__": {"polluted": 1}}\')); ({}).polluted ?? "clean";',
    is('clean'),
  ],
  ['lone surrogates, NUL, bidi', "(await echo('\\ud800\\u0000\\u202e')).length;", is(3)],
  ['arguments that cannot be JSON', 'await echo(1n);', 'failed'],
  ['a cyclic argument', 'const a = []; a.push(a); await echo(a);', 'failed'],
  ['a key that is no text', 'store({}, 1);', 'failed'],
];

/** Attempts on the bridge and on what the host keeps. */
const BRIDGE: readonly Hostile[] = [
  [
    'Promise.prototype.then overwritten',
    'Promise.prototype.then = () => { throw 1; }; const r = [1].map(() => 2); r;',
    'free',
  ],
  ['JSON overwritten', 'JSON.stringify = () => "forged"; JSON.parse = () => ({ forged: 1 }); (await echo(1));', is(1)],
  [
    'Map overwritten',
    'Map.prototype.get = () => ({ ok() {}, no() {} }); Map.prototype.set = () => {}; (await echo(2));',
    is(2),
  ],
  [
    'a setter on Array.prototype',
    "Object.defineProperty(Array.prototype, 0, { set() { throw 'set'; }, configurable: true }); (await echo(3));",
    is(3),
  ],
  ['Object.prototype.then', 'Object.prototype.then = function (ok) { ok("forged"); }; (await echo(4)); 4;', 'free'],
  [
    'Object.prototype fields of the protocol',
    "Object.prototype.ok = true; Object.prototype.t = 'done'; Object.prototype.json = '1'; (await echo(5));",
    is(5),
  ],
  ['breaking out of the wrapper', '}); globalThis.x = 1; (async () => {', 'failed'],
  ['breaking out with arguments', '})(1), ((a) => {', 'failed'],
  [
    'the host object',
    'typeof __host + typeof __post + typeof $0 + typeof ivm;',
    is('undefinedundefinedundefinedundefined'),
  ],
  [
    'climbing constructors',
    "const F = log.constructor; F('return typeof process + typeof require + typeof global')();",
    is('undefinedundefinedundefined'),
  ],
  [
    'climbing from a result',
    "const r = await echo({ a: 1 }); r.constructor.constructor('return typeof process')();",
    is('undefined'),
  ],
  [
    'climbing from an error',
    "let r; try { await fail('x') } catch (e) { r = new e.constructor('return 1').message } r;",
    is('return 1'),
  ],
  [
    'globals',
    'Object.getOwnPropertyNames(globalThis).filter((n) => /^(process|require|module|Buffer|fetch|setTimeout|WebAssembly|SharedArrayBuffer|Atomics|WeakRef|FinalizationRegistry|global|performance|queueMicrotask|structuredClone)$/.test(n));',
    is([]),
  ],
  ['the async function constructor', "(async () => {}).constructor('return typeof process')();", is('undefined')],
  [
    'the generator constructor',
    "(function* () {}).constructor('return typeof process')().next().value;",
    is('undefined'),
  ],
  [
    'CallSite',
    "Error.prepareStackTrace = (_, sites) => sites.map((s) => typeof s.getThis?.() + typeof s.getFunction?.()); String(new Error('x').stack);",
    'free',
  ],
  ['caller and callee', '(function f() { return String(f.caller) + typeof arguments.callee; })();', 'free'],
  [
    'a stack without host paths',
    'let r; try { null.x } catch (e) { r = /node_modules|file:/.test(e.stack) } r;',
    is(false),
  ],
  [
    'a tool error without host paths',
    "let r; try { await fail('x') } catch (e) { r = /node_modules|file:|\\.ts/.test(e.stack) } r;",
    is(false),
  ],
  [
    'species',
    'class P extends Promise { static get [Symbol.species]() { throw 1; } } const p = P.resolve(1); p;',
    'free',
  ],
  [
    'Promise.prototype.constructor',
    'Promise.prototype.constructor = function () { throw 1; }; (await echo(6));',
    'free',
  ],
  [
    'Symbol.hasInstance',
    "Object.defineProperty(Error, Symbol.hasInstance, { value: () => { throw 1; } }); throw new Error('plain');",
    'failed',
  ],
  [
    'Function.prototype.apply and call',
    'Function.prototype.apply = Function.prototype.call = () => "forged"; (await echo(7));',
    is(7),
  ],
  ['Reflect overwritten', 'Reflect.apply = () => "forged"; (await echo(8));', is(8)],
  [
    'getters on Object.prototype',
    "for (const k of ['list', 'value', 'get', 'set']) Object.defineProperty(Object.prototype, k, { get() { return 'forged'; }, set() {}, configurable: true }); (await echo(9));",
    'free',
  ],
  ['globalThis frozen', 'Object.freeze(globalThis); (await echo(10));', is(10)],
  ['SuppressedError and AggregateError', "throw new AggregateError([new Error('a')], 'many');", 'failed'],
  ['Array.fromAsync', 'await Array.fromAsync([echo(1), echo(2)]);', is([1, 2])],
  ['a proxy of a tool', 'const p = new Proxy(echo, { apply: (t, _, a) => t(...a) }); p(11);', is(11)],
  ['bind and call on a tool', 'echo.call(null, 1) + echo.bind(null, 2)() + echo.apply(null, [3]);', is(6)],
  ['new on a tool', 'new echo(1);', 'free'],
];

/** Text that is no program, or a program of another kind. */
const LANGUAGE: readonly Hostile[] = [
  ['a static import', "import fs from 'fs'; fs;", 'failed'],
  ['a dynamic import', "await import('fs');", 'failed'],
  ['a data import', "await import('data:text/javascript,1');", 'failed'],
  ['a dynamic import in eval', 'eval(\'import("node:fs")\')', 'failed'],
  ['require', "require('fs');", 'failed'],
  ['import.meta', 'import.meta.url;', 'failed'],
  ['the word import in a text', "'import x from y'.length;", is(15)],
  ['eval', "eval('1 + 1');", is(2)],
  ['Function', "Function('return 2')();", is(2)],
  ['with', 'with ({ a: 5 }) { a; }\nwith ({ add: () => 1 }) { globalThis.r = add(); }\nr;', is(1)],
  ['HTML comments', '<!-- hidden\n1;', 'free'],
  ['a hashbang', '#!/usr/bin/env node\n1 + 1;', is(2)],
  ['types', 'const x: number = 1; interface A { b: string }\nconst y = x as number;\ny;', is(1)],
  ['a type import', "import type { A } from 'a';\nconst x: A = 1;\nx;", is(1)],
  ['enum', 'enum A { B }\nA.B;', 'failed'],
  ['namespace', 'namespace A { export const b = 1 }\nA.b;', 'failed'],
  ['a parameter property', 'class A { constructor(private a: number) {} }', 'failed'],
  ['decorators', '@dec class A {}', 'failed'],
  ['JSX', 'const a = <div>hi</div>;', 'failed'],
  ['a line of 900 KB', `'${'x'.repeat(900_000)}'.length`, 'failed'],
  ['truncated code', 'const a = [1, 2,', 'failed'],
  ['prose', 'I cannot do that, sorry.', 'failed'],
  ['smart quotes', 'log(“hi”);', 'failed'],
  ['unicode escapes in names', '\\u0061dd(1, 2);', is(3)],
  ['a label and goto', 'a: for (;;) { break a; } 1;', is(1)],
  ['octal and legacy', '010 + 1;', is(9)],
  ['await as a name in a sync function', 'function f() { var await = 1; return await; } f();', 'free'],
  ['strict mode', "'use strict'; undeclared = 1;", 'failed'],
  ['a global without declaration', 'undeclared = 1; undeclared;', is(1)],
  ['a name of our own', 'const $w0 = 1; $w0 + add(1, 1);', is(3)],
  ['debugger', 'debugger; 1;', is(1)],
  ['an empty program', '', is(undefined)],
  ['only a comment', '// nothing', is(undefined)],
  ['line separators', 'const a = 1;\u2028a + 1;', is(2)],
  ['a byte order mark', '\ufeff1 + 1;', is(2)],
];

const AT_ONCE = 4;
const sandbox = createSandbox({ log: silentLog, memoryMb: 64, poolSize: 2 });
afterAll(() => sandbox.close());

const stored: string[] = [];

async function call(name: string, [first, second]: readonly unknown[]): Promise<BridgeReply> {
  if (name === 'hang') return new Promise(() => {});
  if (name === 'fail') return { ok: false, error: `failed: ${first}` };
  await delay(1);
  return { ok: true, value: name === 'add' ? Number(first) + Number(second) : first };
}

const TIGHT = { idleMs: 1200, timeoutMs: 3000, cpuMs: 1500, memoryMb: 64 };
/** For programs that must come to their end: a busy machine is not their fault. */
const WIDE = { ...TIGHT, idleMs: 15_000, timeoutMs: 20_000, cpuMs: 15_000 };

const options = (limits = WIDE): ScriptOptions => ({
  functions: [
    ...['add', 'echo', 'fail', 'hang'].map((name) => ({ name, kind: 'value' as const, tool: true })),
    { name: 'output', kind: 'fire' },
  ],
  bridge: { call, log: () => {} },
  memory: { initial: {}, set: (key) => stored.push(key) },
  limits,
  signal: new AbortController().signal,
});

const STOPPED = ['timeout', 'cpu', 'memory', 'crashed', 'limit'];

function verdict(expected: Expected, result: ScriptResult): unknown {
  if (expected === 'free') return 'free';
  if (expected === 'failed') return result.failed ? 'failed' : result.value;
  if (expected === 'stopped') return STOPPED.includes(result.failed?.reason ?? '') ? 'stopped' : result;
  return result.failed ?? { value: result.value };
}

/** A message for a model: some words, nothing of the host. */
function isReadable({ failed }: ScriptResult): boolean {
  if (!failed) return true;
  const text = JSON.stringify(failed);
  return (
    failed.message.length > 5 &&
    failed.message.length <= 4100 &&
    !/node_modules|file:\/|\/src\/|isolated-vm/u.test(text)
  );
}

/** What the program before it may have left behind; nothing else is there in a fresh isolate. */
const TRACES = `
  const strange = Reflect.ownKeys(globalThis).map(String).filter((key) => key !== 'known' && !known.includes(key));
  if (JSON.stringify({ a: [1] }) !== '{"a":[1]}' || [3, 1, 2].sort().join() !== '1,2,3') strange.push('built-ins');
  if (Object.keys(Object.prototype).length > 0 || 'then' in {}) strange.push('Object.prototype');
  strange.join(', ');`;

async function playAll(programs: readonly Hostile[]): Promise<string[]> {
  const faults: string[] = [];
  const fresh = await sandbox.run('Reflect.ownKeys(globalThis).map(String)', options());
  const later = { ...options(), globals: { known: fresh.value } };
  const todo = [...programs];
  const worker = async () => {
    // Harder than life: untrusted programs share a child as if they were the scripts of one turn.
    const turn = sandbox.forTurn(() => true);
    for (let next = todo.shift(); next; next = todo.shift()) {
      const [name, source, expected] = next;
      const result = await turn.run(source, options(typeof expected === 'object' ? WIDE : TIGHT));
      const got = verdict(expected, result);
      const wanted = typeof expected === 'string' ? expected : { value: expected.value };
      const ok = JSON.stringify(got) === JSON.stringify(wanted) && isReadable(result);
      if (!ok) faults.push(`${name}: ${JSON.stringify({ wanted, got, failed: result.failed })}`.slice(0, 500));
      const after = await turn.run(TRACES, later);
      if (after.value !== '') faults.push(`after ${name}: ${JSON.stringify(after).slice(0, 500)}`);
    }
    turn.close();
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return faults;
}

describe.each([
  ['time', TIME],
  ['memory', MEMORY],
  ['stack', STACK],
  ['boundary', BOUNDARY],
  ['bridge', BRIDGE],
  ['language', LANGUAGE],
] as const)('hostile programs: %s', (_name, programs) => {
  test('each ends within its limits, says why, and the next script runs', { timeout: 180_000 }, async () => {
    expect(await playAll(programs)).toEqual([]);
    expect(await sandbox.run('1 + 1', options())).toMatchObject({ value: 2 });
  });
});

test('there are at least 150 of them, and none leaves a process or an open file behind', async () => {
  expect([TIME, MEMORY, STACK, BOUNDARY, BRIDGE, LANGUAGE].flat().length).toBeGreaterThanOrEqual(150);
  const files = () => (process.platform === 'linux' ? readdirSync('/proc/self/fd').length : 0);
  const settle = async () => {
    for (let i = 0; i < 20; i++) await sandbox.run('1', options());
    await delay(300);
    return files();
  };
  const before = await settle();
  expect(await settle()).toBeLessThanOrEqual(before + 4);
});
