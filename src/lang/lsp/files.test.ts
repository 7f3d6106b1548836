import { describe, expect, test } from 'vitest';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { openPrograms } from '../../testing/open-programs.ts';
import { pathOf } from './files.ts';

const errors = (module: { diagnostics: readonly { code: string }[] } | undefined) =>
  module?.diagnostics.map(({ code }) => code);

describe('an open program', () => {
  test('is checked once for each version of its text', () => {
    const { files, uriOf, show } = openPrograms({ open: { 'a.tl': 'print 1' } });
    const first = files.module(uriOf('a.tl'));
    expect(first).toMatchObject({ source: 'print 1', diagnostics: [] });
    show('a.tl', 'print 2', 1);
    expect(files.module(uriOf('a.tl'))).toBe(first);
    show('a.tl', 'print nope', 2);
    expect(errors(files.module(uriOf('a.tl')))).toEqual(['TL2001']);
  });

  test('is checked anew when it is opened again, though its versions begin anew too', () => {
    const { files, uriOf, show, module } = openPrograms({ open: { 'a.tl': 'print 1' } });
    const first = module('a.tl');
    files.forget(uriOf('b.tl'));
    expect(module('a.tl')).toBe(first);
    files.forget(uriOf('a.tl'));
    show('a.tl', 'print 2');
    expect(module('a.tl').source).toBe('print 2');
  });

  test('is no program where it is not open', () => {
    const { files, uriOf } = openPrograms({ disk: { 'a.tl': 'print 1' } });
    expect(files.module(uriOf('a.tl'))).toBeUndefined();
  });

  test('can use the tools of the assistant', () => {
    const { module } = openPrograms({ open: { 'a.tl': 'print queryRAG("x")' }, tools: ['queryRAG'] });
    expect(errors(module('a.tl'))).toEqual([]);
  });

  test('imports what is open as it is shown, and the rest from the disk', () => {
    const { module } = openPrograms({
      open: { 'a.tl': 'import { f } from "./b"\nimport { g } from "./c"\nf()\ng()', 'b.tl': 'fn f() { print 1 }' },
      disk: { 'b.tl': 'fn old() { print 1 }', 'c.tl': 'fn g() { print 1 }' },
    });
    expect(errors(module('a.tl'))).toEqual([]);
  });
});

describe('a change', () => {
  const open = {
    'a.tl': 'import { f } from "./b"\nf()',
    'b.tl': 'import { g } from "./c"\nfn f() { g() }',
    'c.tl': 'fn g() { print 1 }',
    'd.tl': 'print 1',
  };

  test('makes those be checked again that import it, near or far, and no others', () => {
    const { files, module, pathOf: path, uriOf } = openPrograms({ open });
    const before = ['a.tl', 'b.tl', 'c.tl', 'd.tl'].map(module);
    expect(files.forgetImporting(path('c.tl'))).toEqual([uriOf('a.tl'), uriOf('b.tl')]);
    const after = ['a.tl', 'b.tl', 'c.tl', 'd.tl'].map(module);
    expect(after.map((each, index) => each === before[index])).toEqual([false, false, true, true]);
  });

  test('of what nobody imports changes nothing', () => {
    const { files, module, pathOf: path } = openPrograms({ open });
    const before = Object.keys(open).map(module);
    expect(files.forgetImporting(path('d.tl'))).toEqual([]);
    const after = Object.keys(open).map(module);
    expect(after.map((each, index) => each === before[index])).toEqual([true, true, true, true]);
  });
});

test('a text is read as it is shown, else from the disk, and where it cannot be read there is none', () => {
  const {
    files,
    pathOf: path,
    folder,
  } = openPrograms({
    open: { 'a.tl': 'shown' },
    disk: { 'a.tl': 'stored', 'b.tl': 'stored' },
  });
  expect(['a.tl', 'b.tl', 'c.tl'].map((name) => files.text(path(name)))).toEqual(['shown', 'stored', undefined]);
  expect(files.text(folder)).toBeUndefined();
});

test('an address is the one that the editor wrote, else the usual one', () => {
  const { files, documents, pathOf: path, uriOf } = openPrograms({ open: { 'a.tl': '' } });
  expect(files.uri(path('a b.tl'))).toBe(uriOf('a b.tl'));
  const odd = uriOf('a.tl').replace('a.tl', '%61.tl');
  documents.set(odd, TextDocument.create(odd, 'thinklang', 1, ''));
  documents.delete(uriOf('a.tl'));
  expect(files.uri(path('a.tl'))).toBe(odd);
});

describe('programs that mention a name', () => {
  const disk = {
    ...{ 'main.tl': 'print thing', 'other.tl': 'print thing', 'none.tl': 'print 1', 'notes.txt': 'thing' },
    ...{ 'sub/deep.tl': 'print thing', 'node_modules/x/a.tl': 'print thing', '.git/a.tl': 'print thing' },
    ...{ 'sub/.cache/a.tl': 'print thing', 'sub/node_modules/b.tl': 'print thing', 'away/far.tl': 'print thing' },
  };
  function mentioned(options: Parameters<typeof openPrograms>[0], overlay: Readonly<Record<string, string>> = {}) {
    const { files, module, nameOf, pathOf: path } = openPrograms({ open: { 'main.tl': 'print thing' }, ...options });
    const texts = new Map(Object.entries(overlay).map(([name, text]) => [path(name), text]));
    const found = [...files.mentioning('thing', module('main.tl'), texts)];
    return found.map(({ path: each, source }) => `${nameOf(each)}: ${source}`).sort();
  }

  test('are those beside it, where the editor has no folder', () => {
    expect(mentioned({ disk })).toEqual(['main.tl: print thing', 'other.tl: print thing']);
  });

  test("are those of the editor's folders, without hidden ones and packages", () => {
    expect(mentioned({ disk, folders: ['.'] })).toEqual([
      ...['away/far.tl: print thing', 'main.tl: print thing', 'other.tl: print thing', 'sub/deep.tl: print thing'],
    ]);
    expect(mentioned({ disk, folders: ['sub', 'away'] })).toEqual([
      ...['away/far.tl: print thing', 'main.tl: print thing', 'sub/deep.tl: print thing'],
    ]);
  });

  test('are open ones too, wherever they are, with the text that is shown', () => {
    const open = { 'main.tl': 'print thing', 'elsewhere/x.tl': 'print thing + 1', 'other.tl': 'print 2' };
    expect(mentioned({ disk, open })).toEqual(['elsewhere/x.tl: print thing + 1', 'main.tl: print thing']);
  });

  test('are read with what is about to be changed', () => {
    const overlay = { 'none.tl': 'print thing', 'other.tl': 'print it' };
    expect(mentioned({ disk }, overlay)).toEqual(['main.tl: print thing', 'none.tl: print thing']);
  });

  test('are none beside one that was never saved', () => {
    expect(mentioned({ open: { 'nowhere/main.tl': 'print thing', 'main.tl': 'print thing' } })).toEqual([
      ...['main.tl: print thing', 'nowhere/main.tl: print thing'],
    ]);
  });
});

test('an address is a path where it is one of a file', () => {
  expect(pathOf('file:///tmp/a%20b.tl')).toBe('/tmp/a b.tl');
  expect(pathOf('untitled:Untitled-1')).toBe('untitled:Untitled-1');
});
