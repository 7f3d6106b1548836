import { describe, expect, test } from 'vitest';
import { createScriptExtensions } from './script-extensions.ts';

test('a new registry has nothing', () => {
  const extensions = createScriptExtensions();
  expect(extensions.modules()).toEqual({});
  expect([...extensions.functions()]).toEqual([]);
});

describe('a module', () => {
  test('is there until it is removed', () => {
    const extensions = createScriptExtensions();
    const remove = extensions.addModule('double', 'export default 2');
    extensions.addModule('tables', 'export {}');
    expect(extensions.modules()).toEqual({ double: 'export default 2', tables: 'export {}' });
    remove();
    expect(extensions.modules()).toEqual({ tables: 'export {}' });
  });

  test('of the same name takes its place, and is not removed with it', () => {
    const extensions = createScriptExtensions();
    const removeOld = extensions.addModule('double', 'old');
    const removeNew = extensions.addModule('double', 'new');
    removeOld();
    expect(extensions.modules()).toEqual({ double: 'new' });
    removeNew();
    expect(extensions.modules()).toEqual({});
  });
});

describe('a function', () => {
  const fn = () => 1;

  test('is there until it is removed, and its name is free again then', () => {
    const extensions = createScriptExtensions();
    const remove = extensions.addFunction('one', fn);
    expect([...extensions.functions()]).toEqual([['one', fn]]);
    remove();
    expect([...extensions.functions()]).toEqual([]);
    extensions.addFunction('one', fn);
    expect(extensions.functions().get('one')).toBe(fn);
  });

  test('of the same name is refused', () => {
    const extensions = createScriptExtensions();
    extensions.addFunction('one', fn);
    expect(() => extensions.addFunction('one', () => 2)).toThrow(
      new TypeError('a script function "one" exists already'),
    );
    expect(extensions.functions().get('one')).toBe(fn);
  });

  test.each(['one', 'One2', '_', '$', 'a$_9'])('may be called %j', (name) => {
    const extensions = createScriptExtensions();
    extensions.addFunction(name, fn);
    expect(extensions.functions().get(name)).toBe(fn);
  });

  test.each(['', '1', '2nd', 'a.b', 'a b', ' a', 'a\n', 'größe', 'a-b'])('cannot be called %j', (name) => {
    const extensions = createScriptExtensions();
    expect(() => extensions.addFunction(name, fn)).toThrow(new TypeError(`"${name}" is not a plain function name`));
    expect(extensions.functions().size).toBe(0);
  });
});
