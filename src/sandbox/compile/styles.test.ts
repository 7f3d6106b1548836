import { describe, expect, test } from 'vitest';
import { compiledBody } from '../../testing/compiled-script.ts';

/** `source` is followed by a last value, which is returned. */
function becomes(source: string): string {
  const body = compiledBody(`${source}\n0`);
  expect(body.endsWith('\nreturn (0);')).toBe(true);
  return body.slice(0, -'\nreturn (0);'.length);
}

describe('a statement that begins with a call', () => {
  test.each([
    ['that is all of it', 'add(1)', 'await $w0.p.add(1)'],
    ['whose result goes on', 'add(1).x', 'void 0,(await $w0.p.add(1)).x'],
    ['whose result is called', 'add(1)(2)', 'void 0,(await $w0.p.add(1))(2)'],
    ['that comes first of several', 'add(1), x', 'void 0,(await $w0.p.add(1)), x'],
    ['that is not its first word', 'x = add(1).x', 'x = (await $w0.p.add(1)).x'],
    ['with another one in it', 'add(add(1))', 'await $w0.p.add((await $w0.p.add(1)))'],
    ['behind a line without a semicolon', 'x = 1\nadd(1).x', 'x = 1\nvoid 0,(await $w0.p.add(1)).x'],
    ['whose result has a chain', 'add(1).x.then(f)', 'await (await $w0.p.add(1)).x.then(f)'],
  ])('%s keeps its meaning', (_what, source, body) => {
    expect(becomes(source)).toBe(body);
  });
});

describe('a function waits with its calls', () => {
  test.each([
    [
      'which is declared',
      'f(1); function f(n) { return add(n); }',
      'await f(1); async function f(n) { return (await $w0.p.add(n)); }',
    ],
    [
      'which is a value',
      'const f = function () { add(1); }; f();',
      'const f = async function () { await $w0.p.add(1); }; await f();',
    ],
    ['which is an arrow', 'const f = (n) => add(n); f(1);', 'const f = async (n) => (await $w0.p.add(n)); await f(1);'],
    ['which nobody calls', 'const f = (n) => add(n);', 'const f = async (n) => (await $w0.p.add(n));'],
    [
      'which is awaited',
      'const f = (n) => add(n); x = await f(1);',
      'const f = async (n) => (await $w0.p.add(n)); x = await f(1);',
    ],
    ['which runs at once', '(function () { add(1); })();', 'await (async function () { await $w0.p.add(1); })();'],
    ['which is async already', '(async () => { add(1); })();', 'await (async () => { await $w0.p.add(1); })();'],
    [
      'which calls one that waits',
      'const f = () => g(); const g = () => add(1);',
      'const f = async () => (await g());',
    ],
    [
      'which holds one that waits',
      'const f = () => { const g = () => add(1); return g(); };',
      'const f = async () => { const g = async () => (await $w0.p.add(1)); return (await g()); };',
    ],
    ['which is handed to a chain', 'const f = () => add(1); y.then(f);', 'const f = async () => (await $w0.p.add(1));'],
    [
      'which is written in a chain',
      'x = add(1).then((v) => add(v)).catch((e) => add(e));',
      'then(async (v) => (await $w0.p.add(v))).catch(async (e) => (await $w0.p.add(e)));',
    ],
    [
      'which calls itself by its own name',
      'const f = function g(n) { return add(n) + g(n); }; f(1);',
      'const f = async function g(n) { return (await $w0.p.add(n)) + (await g(n)); }; await f(1);',
    ],
    ['whose list is collected', 'x = Promise.all(y.map((n) => add(n)));', 'y.map(async (n) => (await $w0.p.add(n)))'],
    ['whose lists are collected', 'x = Promise.all(y.flatMap((n) => add(n)));', 'y.flatMap(async (n) => (await'],
    [
      'which makes a list',
      'x = Promise.all(Array.from(y, (n) => add(n)));',
      'from(y, async (n) => (await $w0.p.add(n)))',
    ],
    ['which has a name', 'const f = (n) => add(n); x = Promise.all(y.map(f));', 'const f = async (n) => (await'],
    [
      'which has a default',
      'const f = (n = add(1)) => add(n); f();',
      'async (n = add(1)) => (await $w0.p.add(n)); await f();',
    ],
    [
      'which is an async generator',
      'x = async function* () { add(1); };',
      'async function* () { await $w0.p.add(1); }',
    ],
    ['which is an async method', 'x = { async f() { add(1); } };', 'x = { async f() { await $w0.p.add(1); } };'],
  ])('%s', (_which, source, part) => {
    expect(becomes(source)).toContain(part);
  });
});

describe('a call blocks where nothing can wait:', () => {
  test.each([
    ['in a function that somebody else calls', 'const f = (n) => add(n); x.on(f);'],
    ['in a function that is a value', 'const f = (n) => add(n); x = f; f(1);'],
    ['in a function with a second value', 'let f = (n) => add(n); f = y; f(1);'],
    ['in a declared function with a second value', 'function f(n) { return add(n); } f = y; f(1);'],
    ['in a function that is declared twice', 'function f() { return add(1); } function f() {} f();'],
    ['in a function that may be another', 'const f = c ? (n) => add(n) : y; f(1);'],
    ['in a function that is taken apart', 'const { f } = (n) => add(n); f(1);'],
    ['in a function that is built with new', 'const F = function () { add(1); }; new F();'],
    ['in a function that is a value by its own name', 'const f = function g() { add(1); x.on(g); }; f();'],
    ['in a function that is a value by its variable', 'const f = function g() { add(1); g(); }; x.on(f);'],
    ['in an argument', 'f((n) => { add(n); });'],
    ['in an argument of new', 'new X((n) => { add(n); });'],
    ['in a function that a blocking one calls', 'const f = () => { const g = () => add(1); return y.sort(g); }; f();'],
    ['in functions that call each other', 'const f = (n) => g(n), g = (n) => f(n) + add(n); y.sort(f);'],
    ['in a field of an object', 'x = { f: (n) => add(n) };'],
    ['in methods', 'x = { f() { add(1); }, get g() { return add(2); }, set h(v) { add(v); } };'],
    ['in a class', 'class A { constructor() { add(1); } m() { add(2); } get g() { return add(3); } }'],
    ['in a function with a class', 'const f = () => class { x = add(1) }; f();'],
    ['in fields of a class', 'class A { x = add(1); static y = add(2); static { add(3); } }'],
    ['in functions of fields of a class', 'class A { x = (() => add(1))(); static { (() => add(1))(); } }'],
    ['in functions of methods', 'class A { m() { const f = () => add(1); return f(); } }'],
    ['in a generator', 'x = function* () { add(1); };'],
    ['in a default', 'const f = (n, x = [add(1)]) => n; f();'],
    ['in a part of a default', 'const f = ({ x = add(1) }) => x;'],
    ['in a function of a default', 'const f = ({ x = (() => add(1))() }) => x; f();'],
    ['in a comparison', 'y.sort((a, b) => add(a) - b);'],
    ['in a filter whose list is collected', 'x = Promise.all(y.filter((n) => add(n)));'],
    ['in a map whose list is used', 'x = y.map((n) => add(n));'],
    ['in a map by a computed name', 'x = Promise.all(y[map]((n) => add(n)));'],
    ['in the second argument of a map', 'const f = (n) => add(n); x = Promise.all(y.map(z, f));'],
    ['in the first argument of a list', 'const f = (n) => add(n); x = Promise.all(Array.from(f));'],
    ['in a list that is used', 'const f = (n) => add(n); x = Array.from(y, f);'],
    ['in a computed method like a chain', 'const f = (n) => add(n); x = y[then](f);'],
    ['in a function of a loop', 'y.forEach((n) => { add(n); });'],
  ])('%s', (_where, source) => {
    expect(becomes(source)).toBe(source);
  });
});

describe('a function is not waited for', () => {
  test.each([
    ['that calls nothing', 'const f = () => 1; x = f();'],
    ['that is a generator', 'async function* f() {} x = f();'],
    ['that is a generator and runs at once', '(async function* () {})();'],
    ['with another name', 'const f = async () => 1; const g = f; x = g();'],
    ['taken out of another', 'const f = async () => 1; const { g } = f; x = g();'],
    ['that becomes another', 'let f = async () => 1; f = y; x = f();'],
    ['taken out of a function', 'const { f } = async () => 1; x = f();'],
    ['of an object', 'y.f = async () => 1; x = y.f();'],
    ['that is a parameter', 'async function f(g) { x = g(1); }'],
    ['of which only a promise is wanted', 'const f = async () => 1; x = Promise.all([f()]);'],
    ['that another one returns', '(() => { return () => add(1); })()();'],
  ])('%s', (_which, source) => {
    expect(becomes(source)).toBe(source);
  });
});

describe('a tool that is handed over', () => {
  test.each([
    ['to a map', 'x = y.map(add);', 'x = y.map($w0.b1.add);'],
    ['to a map, through tools', 'x = y.map(tools.add);', 'x = y.map($w0.b1.add);'],
    ['to a map, by a key', "x = y.map(tools['dotted.tool']);", "x = y.map($w0.b1['dotted.tool']);"],
    ['to a map, by another name', 'const f = add; x = y.map(f);', 'const f = add; x = y.map($w0.b1["add"]);'],
    ['to a map whose list is collected', 'x = Promise.all(y.map(add));', 'x = Promise.all(y.map($w0.p1.add));'],
    ['to a list', 'x = Promise.all(Array.from(y, add));', 'x = Promise.all(Array.from(y, $w0.p1.add));'],
    ['to a chain', 'x = add(1).then(add, item);', 'x = $w0.p.add(1).then($w0.p1.add, $w0.p1.item);'],
  ])('%s, gets one argument only', (_to, source, body) => {
    expect(becomes(source)).toBe(body);
  });

  test.each([
    ...['map', 'flatMap', 'filter', 'forEach', 'some', 'every', 'find', 'findIndex', 'findLast', 'findLastIndex'],
  ])('to %s, gets one argument only', (name) => {
    expect(becomes(`x = y.${name}(add);`)).toBe(`x = y.${name}($w0.b1.add);`);
  });

  test.each([
    ['to a fold', 'x = y.reduce(add);'],
    ['to a function', 'x = f(add);'],
    ['to a function called like an iterator', 'x = map(add);'],
    ['by a computed name', 'x = y[map](add);'],
    ['to new', 'x = new Map(add);'],
    ['in a list', 'x = y.map([add]);'],
    ['with something else', 'x = y.map(other);'],
    ['with all others', 'x = y.map(tools);'],
    ['bound', 'x = y.map(tools.add.bind(1));'],
  ])('%s, stays as it is', (_to, source) => {
    expect(becomes(source)).toBe(source);
  });
});

describe('a loop by forEach', () => {
  test.each([
    ['is awaited', 'y.forEach(async (n) => n);', 'await $w0.after(y.forEach($w0.each(async (n) => n)));'],
    [
      'is awaited with its calls',
      'y.forEach(async function (n) { add(n); });',
      'await $w0.after(y.forEach($w0.each(async function (n) { await $w0.p.add(n); })));',
    ],
    [
      'is awaited in a function',
      'const f = async () => { y.forEach(async (n) => n); };',
      'const f = async () => { await $w0.after(y.forEach($w0.each(async (n) => n))); };',
    ],
    [
      'is awaited over a result',
      'item(1).x.forEach(async (n) => n);',
      'await $w0.after(void 0,(await $w0.p.item(1)).x.forEach($w0.each(async (n) => n)));',
    ],
  ])('%s', (_what, source, body) => {
    expect(becomes(source)).toBe(body);
  });

  test.each([
    ['where nothing can wait', 'const f = () => { y.forEach(async (n) => n); };'],
    ['of a list that may be missing', 'y?.forEach(async (n) => n);'],
    ['of something that may be no list', 'y.forEach?.(async (n) => n);'],
    ['with a function that does not wait', 'y.forEach((n) => n);'],
    ['with a function from elsewhere', 'y.forEach(f, async (n) => n);'],
    ['without a function', 'y.forEach();'],
    ['of the script', 'forEach(async (n) => n);'],
    ['of another name', 'y.map(async (n) => n);'],
  ])('%s stays as it is', (_what, source) => {
    expect(becomes(source)).toBe(source);
  });

  test('may be the last value', () => {
    const body = 'return (await $w0.after(y.forEach($w0.each(async (n) => n))));';
    expect(compiledBody('y.forEach(async (n) => n)')).toBe(body);
    expect(compiledBody('y.forEach(async (n) => n);')).toBe(body);
  });
});

describe('a chain', () => {
  test.each([
    ['on a value', 'x = y.then(f);', 'x = $w0.chain(()=>(y)).then(f);'],
    ['by a key', "x = y['then'](f);", "x = $w0.chain(()=>(y))['then'](f);"],
    ['on a method', 'x = y.z(1).catch(f);', 'x = $w0.chain(()=>(y.z(1))).catch(f);'],
    ['on something new', 'x = new Y().finally(f);', 'x = $w0.chain(()=>(new Y())).finally(f);'],
    [
      'on a Promise of the script',
      'class Promise {} x = Promise.all(y).then(f);',
      'chain(()=>(Promise.all(y))).then(f);',
    ],
    ['on what calls in a function', 'x = y(() => add(1)).then(f);', 'x = $w0.chain(()=>(y(() => add(1)))).then(f);'],
    [
      'on what waits in a function',
      'x = y(async () => await z).then(f);',
      'chain(()=>(y(async () => await z))).then(f);',
    ],
    ['that is called if it can be', 'y.then?.(f);', '$w0.chain(()=>(y)).then?.(f);'],
  ])('%s works whether that is a promise or not', (_on, source, part) => {
    expect(becomes(source)).toContain(part);
  });

  test.each([
    ['on a new promise', 'x = new Promise(y).then(f);'],
    ['on promises together', 'x = Promise.all(y).then(f);'],
    ['on a chain of promises together', 'x = Promise.all(y).then(f).catch(g);'],
    ['on a function that waits', 'const g = async () => 1; x = g().then(f);'],
    ['on what is awaited', 'x = (await y).then(f);'],
    ['on what a generator gets', 'x = function* () { return (yield 1).then(f); };'],
    ['on what may be missing', 'y?.then(f);'],
    ['of the class above', 'class B extends A { m() { return super.then(f); } }'],
    ['that is not called', 'x = y.then;'],
    ['by a computed name', 'x = y[then](f);'],
    ['of a private kind', 'class A { #then() {} m(y) { y.#then(f); } }'],
    ['that is built', 'x = new y.then(f);'],
    ['of another kind', 'x = y.thenable(f);'],
  ])('%s stays as it is', (_on, source) => {
    expect(becomes(source)).toBe(source);
  });

  test('on something that a call is part of waits for the call', () => {
    expect(becomes('x = y[add(1)].then(f);')).toBe('x = y[(await $w0.p.add(1))].then(f);');
  });
});

describe('a statement that starts something', () => {
  test.each([
    ['by a chain', 'y.then(f);', 'await $w0.chain(()=>(y)).then(f);'],
    ['by a chain of calls', 'add(1).then(f);', 'await $w0.p.add(1).then(f);'],
    ['by promises together', 'Promise.all(y);', 'await Promise.all(y);'],
    ['in a function that waits', 'x = async () => { Promise.all(y); };', 'x = async () => { await Promise.all(y); };'],
    [
      'in a function that does not wait',
      'x = () => { y.then(f); };',
      'x = () => { $w0.track($w0.chain(()=>(y)).then(f)); };',
    ],
    [
      'in a method',
      'class B extends A { m() { super.then(f); } }',
      'class B extends A { m() { $w0.track(super.then(f)); } }',
    ],
    ['by a promise that nobody can see', 'new Promise(f);', 'new Promise(f);'],
    ['as a value', 'x = Promise.all(y);', 'x = Promise.all(y);'],
    ['as the value of a function', 'x = () => Promise.all(y);', 'x = () => Promise.all(y);'],
  ])('%s', (_how, source, body) => {
    expect(becomes(source)).toBe(body);
  });
});

test('a script of more than 20,000 parts stays as it is written', () => {
  const more = 'x;'.repeat(9997);
  expect(compiledBody(`add();${more}0`)).toBe(`await $w0.p.add();${more}return (0);`);
  expect(compiledBody(`add(1);${more}0`)).toBe(`add(1);${more}return (0);`);
});
