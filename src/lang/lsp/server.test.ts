import { describe, expect, test } from 'vitest';
import type { Location, TextEdit, WorkspaceEdit } from 'vscode-languageserver/node';
import { atCaret, type Files } from '../../testing/checked-programs.ts';
import { openEditor, showRange } from '../../testing/editor.ts';
import { RESERVED } from '../grammar/unexpected.ts';
import { TOKEN_LEGEND } from './tokens.ts';
import { CONTEXTUAL } from './words.ts';

const LIB = '/// Greets someone.\nfn greet(who: string, loud: bool): string { return who + loud }\n';
const OTHER = 'import { greet } from "./lib"\nprint greet("Bo", false)\n';

/** A started editor with an open program, and a position in it. */
async function atCaretIn(marked: string, files: Files = { 'lib.tl': LIB, 'other.tl': OTHER }) {
  const { source, offset } = atCaret(marked);
  const editor = await openEditor({ files, tools: ['queryRAG'] });
  await editor.initialize();
  await editor.open('main.tl', source);
  const before = source.slice(0, offset).split('\n');
  const position = { line: before.length - 1, character: before.at(-1)?.length ?? 0 };
  const ask = <Answer>(method: string, params: object = {}) =>
    editor.ask<Answer>(method, 'main.tl', { position, ...params });
  const nameOf = (uri: string) => uri.slice(editor.uriOf('').length + 1);
  return { ...editor, source, position, nameOf, askHere: ask };
}

test('an editor is told what there is to ask for', async () => {
  const editor = await openEditor();
  expect(await editor.initialize()).toEqual({
    serverInfo: { name: 'thinklang' },
    capabilities: {
      textDocumentSync: 2,
      hoverProvider: true,
      definitionProvider: true,
      referencesProvider: true,
      renameProvider: { prepareProvider: true },
      signatureHelpProvider: { triggerCharacters: ['(', ','] },
      semanticTokensProvider: { legend: TOKEN_LEGEND, full: true },
      documentSymbolProvider: true,
      documentFormattingProvider: true,
      codeActionProvider: { codeActionKinds: ['quickfix'] },
      completionProvider: { triggerCharacters: ['.', '<', ':'] },
    },
  });
});

describe('the server ends', () => {
  test.each([
    ['well, where it was told before', true, 0],
    ['badly, where it was not', false, 1],
  ])('%s', async (_, told, code) => {
    for (const leave of ['exit', 'hang up'] as const) {
      const { client, input, served, initialize } = await openEditor();
      await initialize();
      if (told) await client.sendRequest('shutdown');
      if (leave === 'exit') await client.sendNotification('exit');
      else input.end();
      expect(await served).toBe(code);
      expect(input.isPaused()).toBe(true);
    }
  });
});

describe('what is wrong', () => {
  const of = (line: number, from: number, to: number) => ({
    start: { line, character: from },
    end: { line, character: to },
  });

  test('is shown with its place and its hint, and no more once the program is closed', async () => {
    const { initialize, open, notify, uriOf, news } = await openEditor();
    await initialize();
    await open('a.tl', 'let other = 1\nlet price = 2\nprint pirce', 7);
    expect(await news()).toEqual([
      {
        file: 'a.tl',
        version: 7,
        diagnostics: [
          {
            range: of(0, 4, 9),
            severity: 2,
            source: 'thinklang',
            message: '`other` is never used',
            code: 'TL4002',
          },
          {
            range: of(2, 6, 11),
            severity: 1,
            source: 'thinklang',
            message: 'there is nothing called `pirce`: did you mean `price`?',
            code: 'TL2001',
          },
        ],
      },
    ]);
    await notify('didClose', { textDocument: { uri: uriOf('a.tl') } });
    expect(await news()).toEqual([{ file: 'a.tl', diagnostics: [] }]);
    await open('a.tl', 'print 1', 7);
    expect(await news()).toEqual([{ file: 'a.tl', version: 7, diagnostics: [] }]);
  });

  test('is shown again in every open program that imports what has changed', async () => {
    const { client, initialize, open, notify, write, uriOf, news } = await openEditor({ files: { 'lib.tl': LIB } });
    await initialize();
    await open('main.tl', OTHER);
    await open('alone.tl', 'print 1');
    const codes = async () => (await news()).map((each) => [each.file, ...each.diagnostics.map(({ code }) => code)]);
    expect(await codes()).toEqual([['main.tl'], ['alone.tl']]);
    await open('lib.tl', LIB.replace(', loud: bool', '').replace(' + loud', ''));
    expect(await codes()).toEqual([['lib.tl'], ['main.tl', 'TL3002']]);
    await notify('didChange', { textDocument: { uri: uriOf('lib.tl'), version: 2 }, contentChanges: [{ text: LIB }] });
    expect(await codes()).toEqual([['lib.tl'], ['main.tl']]);
    await notify('didClose', { textDocument: { uri: uriOf('lib.tl') } });
    expect(await codes()).toEqual([['lib.tl'], ['main.tl']]);
    write('lib.tl', LIB.replace('greet', 'welcome'));
    const changes = [{ uri: uriOf('lib.tl'), type: 2 }];
    await client.sendNotification('workspace/didChangeWatchedFiles', { changes });
    expect(await codes()).toEqual([['main.tl', 'TL2007']]);
  });

  test('is put right where its lines are, if it can be', async () => {
    const { ask, askHere, uriOf } = await atCaretIn(
      '^let price = 1 let other = 1\nprint pirce\nprint nope\nfn f(): int { return 1\nprint 2\nprint 3 }\nf()',
    );
    const actions = (from: number, to: number) => {
      const range = { start: { line: from, character: 0 }, end: { line: to, character: 0 } };
      return askHere<{ title: string }[]>('codeAction', { range, context: { diagnostics: [] } });
    };
    const found = async (from: number, to: number) => (await actions(from, to)).map(({ title }) => title);
    expect(await found(0, 0)).toEqual(['Call it `_other`']);
    expect(await found(0, 1)).toEqual(['Call it `_other`', 'Write `price`']);
    expect(await found(1, 2)).toEqual(['Write `price`']);
    expect(await found(2, 2)).toEqual([]);
    expect(await found(4, 4)).toEqual(['Remove what is never reached']);
    expect(await found(5, 9)).toEqual([]);
    expect(await actions(1, 1)).toEqual([
      {
        title: 'Write `price`',
        kind: 'quickfix',
        diagnostics: [
          {
            range: of(1, 6, 11),
            severity: 1,
            source: 'thinklang',
            message: 'there is nothing called `pirce`: did you mean `price`?',
            code: 'TL2001',
          },
        ],
        edit: { changes: { [uriOf('main.tl')]: [{ range: of(1, 6, 11), newText: 'price' }] } },
      },
    ]);
    const whole = { range: of(0, 0, 9), context: { diagnostics: [] } };
    expect(await ask('codeAction', 'closed.tl', whole)).toEqual([]);
  });
});

describe('a name', () => {
  const MAIN = 'import { greet } from "./lib"\nlet a = greet("Ada", true)\nprint a\n';
  const caretAt = (line: number, character: number) => {
    const lines = MAIN.split('\n');
    lines[line] = `${lines[line]?.slice(0, character)}^${lines[line]?.slice(character)}`;
    return lines.join('\n');
  };

  test.each([
    [1, 8, '```tl\nfn greet(who: string, loud: bool): string\n```\n\nGreets someone.'],
    [2, 7, '```tl\na: string\n```'],
  ])('in %i:%i says what it is', async (line, character, value) => {
    const { askHere } = await atCaretIn(caretAt(line, character));
    expect(await askHere('hover')).toEqual({ contents: { kind: 'markdown', value } });
  });

  test('a field says its type and what it is for, and leads to its declaration in another file', async () => {
    const files = { 'lib.tl': 'type P {\n  /// How old.\n  age: int\n}\n' };
    const { askHere, nameOf } = await atCaretIn(
      'import { P } from "./lib"\nlet p = think<P>("x")\nprint p.a^ge',
      files,
    );
    const value = '```tl\nage: int\n```\n\nHow old.';
    expect(await askHere('hover')).toEqual({ contents: { kind: 'markdown', value } });
    const { uri, range } = await askHere<Location>('definition');
    expect([nameOf(uri), range.start]).toEqual(['lib.tl', { line: 2, character: 2 }]);
    expect(await askHere('prepareRename')).toBeNull();
  });

  test.each([
    [0, 10, 'lib.tl 1:3-1:8', '0:9-0:14'],
    [1, 8, 'lib.tl 1:3-1:8', '1:8-1:13'],
    [2, 7, 'main.tl 1:4-1:5', '2:6-2:7'],
  ])('in %i:%i is declared in %s, and can be another', async (line, character, declared, here) => {
    const { askHere, nameOf } = await atCaretIn(caretAt(line, character));
    const { uri, range } = await askHere<Location>('definition');
    expect(`${nameOf(uri)} ${showRange(range)}`).toBe(declared);
    expect(showRange(await askHere('prepareRename'))).toBe(here);
  });

  test.each([
    [true, ['lib.tl 1:3-1:8', 'main.tl 0:9-0:14', 'main.tl 1:8-1:13', 'other.tl 0:9-0:14', 'other.tl 1:6-1:11']],
    [false, ['main.tl 0:9-0:14', 'main.tl 1:8-1:13', 'other.tl 0:9-0:14', 'other.tl 1:6-1:11']],
  ])('is found wherever it is used, with its declaration: %s', async (includeDeclaration, places) => {
    for (const lib of [LIB, LIB.replace('fn', '      fn')]) {
      const { askHere, nameOf } = await atCaretIn(caretAt(1, 8), { 'lib.tl': lib, 'other.tl': OTHER });
      const found = await askHere<Location[]>('references', { context: { includeDeclaration } });
      const moved = places.map((each) => (lib === LIB ? each : each.replace('lib.tl 1:3-1:8', 'lib.tl 1:9-1:14')));
      expect(found.map(({ uri, range }) => `${nameOf(uri)} ${showRange(range)}`).sort()).toEqual(moved);
    }
  });

  test('becomes another one in every file', async () => {
    const { askHere, nameOf } = await atCaretIn(caretAt(1, 8));
    const { changes = {} } = await askHere<WorkspaceEdit>('rename', { newName: 'welcome' });
    const shown = Object.entries(changes).map(([uri, edits]) => {
      return [nameOf(uri), ...edits.map(({ range, newText }) => `${showRange(range)} ${newText}`)];
    });
    expect(Object.fromEntries(shown.map(([name, ...edits]) => [name, edits]))).toEqual({
      'lib.tl': ['1:3-1:8 welcome'],
      'main.tl': ['0:9-0:14 welcome', '1:8-1:13 welcome'],
      'other.tl': ['0:9-0:14 welcome', '1:6-1:11 welcome'],
    });
    await expect(askHere('rename', { newName: 'type' })).rejects.toMatchObject({
      code: -32803,
      message: 'type is a reserved word.',
    });
  });

  test('that is none says nothing, nor does a program that is not open', async () => {
    const { askHere, ask, position } = await atCaretIn(caretAt(1, 6));
    const context = { includeDeclaration: true };
    for (const asked of [
      askHere,
      (method: string, params?: object) => ask(method, 'lib.tl', { position, ...params }),
    ]) {
      expect(await asked('hover')).toBeNull();
      expect(await asked('definition')).toBeNull();
      expect(await asked('references', { context })).toEqual([]);
      expect(await asked('prepareRename')).toBeNull();
      expect(await asked('rename', { newName: 'b' })).toBeNull();
      expect(await asked('signatureHelp')).toBeNull();
    }
  });

  test.each([
    [
      'its root',
      (uriOf: (name: string) => string) => ({ rootUri: uriOf('') }),
      ['beside.tl', 'deep/far.tl', 'main.tl', 'sub/a.tl'],
    ],
    [
      'its folders, before its root',
      (uriOf: (name: string) => string) => ({
        rootUri: uriOf(''),
        workspaceFolders: [{ uri: uriOf('sub'), name: 'sub' }],
      }),
      ['main.tl', 'sub/a.tl'],
    ],
    ['no folder at all', () => ({ rootUri: null, workspaceFolders: null }), ['beside.tl', 'main.tl']],
  ])('is looked for in what an editor has open: %s', async (_, params, expected) => {
    const text = (lib: string) => `import { f } from "${lib}"\nf()`;
    const files = { 'sub/a.tl': text('../main'), 'deep/far.tl': text('../main'), 'beside.tl': text('./main') };
    const { initialize, open, ask, uriOf } = await openEditor({ files });
    await initialize(params(uriOf));
    await open('main.tl', 'fn f() { print 1 }');
    const position = { line: 0, character: 3 };
    const found = await ask<Location[]>('references', 'main.tl', { position, context: { includeDeclaration: true } });
    const names = found.map(({ uri }) => uri.slice(uriOf('').length + 1));
    expect([...new Set(names)].sort()).toEqual(expected);
  });
});

describe('a program', () => {
  test('shows what a call takes while it is written', async () => {
    const { askHere } = await atCaretIn('import { greet } from "./lib"\nprint greet("a", ^');
    expect(await askHere('signatureHelp')).toEqual({
      signatures: [
        {
          label: 'greet(who: string, loud: bool): string',
          parameters: [{ label: 'who: string' }, { label: 'loud: bool' }],
          documentation: 'Greets someone.',
        },
      ],
      activeSignature: 0,
      activeParameter: 1,
    });
  });

  test('is coloured, with the tools of the assistant', async () => {
    const { askHere, ask } = await atCaretIn('^print queryRAG("x")');
    expect(await askHere('semanticTokens/full')).toMatchObject({ data: [0, 0, 5, 0, 0, 0, 6, 8, 2, 2, 0, 9, 3, 8, 0] });
    expect(await ask('semanticTokens/full', 'closed.tl')).toEqual({ data: [] });
  });

  test('lists what it declares', async () => {
    const { askHere, ask } = await atCaretIn(
      '^type M { a: int }\nfn f() { print 1 }\ntool t(): int { return 1 }\nparam p: int = 1\nlet x = 2\nx = 3\nprint x',
    );
    interface Declared {
      name: string;
      kind: number;
      range: Location['range'];
      selectionRange: Location['range'];
      children?: Declared[];
    }
    const show = ({ name, kind, range, selectionRange, children = [] }: Declared): unknown[] => [
      ...[`${kind} ${name} ${showRange(range)} ${showRange(selectionRange)}`, ...children.map(show)],
    ];
    expect((await askHere<Declared[]>('documentSymbol')).map(show)).toEqual([
      ['23 M 0:0-0:17 0:5-0:6', ['8 a 0:9-0:15 0:9-0:10']],
      ['12 f 1:0-1:18 1:3-1:4'],
      ['11 t 2:0-2:26 2:5-2:6'],
      ['7 p 3:0-3:16 3:6-3:7'],
      ['13 x 4:0-4:9 4:4-4:5'],
    ]);
    expect(await ask('documentSymbol', 'closed.tl')).toEqual([]);
  });

  test.each([
    ['let  a=1\nprint  a', ['0:0-1:8 let a = 1\nprint a\n']],
    ['let a = 1\nprint a\n', []],
    ['print  nope', ['0:0-0:11 print nope\n']],
    ['let  a =', []],
  ])('%j is laid out, if it can be read and is not yet', async (text, edits) => {
    const { askHere, ask } = await atCaretIn(`${text}^`);
    const options = { tabSize: 2, insertSpaces: true };
    const found = await askHere<TextEdit[]>('formatting', { options });
    expect(found.map(({ range, newText }) => `${showRange(range)} ${newText}`)).toEqual(edits);
    expect(await ask('formatting', 'closed.tl', { options })).toEqual([]);
  });

  const WORDS = [...RESERVED, ...CONTEXTUAL].map((label) => ({ label, kind: 14 }));
  test('offers names, words and tools where one is written', async () => {
    const { askHere, ask, position } = await atCaretIn('let a = 1\nfn f(b: int): int { return a + b }\n^');
    expect(await askHere('completion')).toEqual([
      { label: 'f', kind: 6, detail: 'fn f(b: int): int' },
      { label: 'a', kind: 6, detail: 'a: int' },
      { label: 'b', kind: 6, detail: 'b: int' },
      ...WORDS,
      { label: 'queryRAG', kind: 3, detail: 'a tool of the assistant' },
    ]);
    expect(await ask('completion', 'closed.tl', { position })).toEqual([]);
  });

  test.each(['print a.^', 'print a.le^', 'print a.^le + 1', 'print "b." + a.^'])(
    'offers what a value has: %j',
    async (line) => {
      const { askHere } = await atCaretIn(`let a = { length: 1, c: "x" }\nlet n = [1]\nprint a\n${line}`);
      expect(await askHere('completion')).toEqual([
        { label: 'length', kind: 5, detail: 'int' },
        { label: 'c', kind: 5, detail: 'string' },
      ]);
    },
  );

  test('offers tools alone where an agent is given some', async () => {
    const own = 'tool price(ticker: string): float { return 1 }\n';
    const { askHere } = await atCaretIn(`${own}print agent<int>("x")\n  with tools: ^`);
    expect(await askHere('completion')).toEqual([
      { label: 'price', kind: 3, detail: 'tool price(ticker: string): float' },
      { label: 'queryRAG', kind: 3, detail: 'a tool of the assistant' },
    ]);
  });

  test('offers methods with what they give', async () => {
    const { askHere } = await atCaretIn('let n = 1\nprint n.^');
    expect(await askHere('completion')).toEqual([
      { label: 'toFixed', kind: 2, detail: 'string' },
      { label: 'toString', kind: 2, detail: 'string' },
    ]);
  });

  test.each(['print n. ^', 'print n ^', 'print n.a\n^'])('offers names again at %j', async (marked) => {
    const { askHere } = await atCaretIn(`let n = 1\n${marked}`);
    expect((await askHere<{ label: string }[]>('completion'))[0]).toEqual({ label: 'n', kind: 6, detail: 'n: int' });
  });
});
