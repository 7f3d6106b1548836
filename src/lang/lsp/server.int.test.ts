import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createProtocolConnection,
  type ProtocolConnection,
  type PublishDiagnosticsParams,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver/node';

const ROOT = resolve(import.meta.dirname, '../../..');
const folder = mkdtempSync(join(tmpdir(), 'wooster-lsp-'));
const uri = pathToFileURL(join(folder, 'a.tl')).href;
const SOURCE = 'type Mood { label: string }\nlet mood = think<Mood>("x")\nprint mood.label\nprint moood\n';

let program: ChildProcess;
let client: ProtocolConnection;
const published: PublishDiagnosticsParams[] = [];
let onPublished = () => {};

/** The diagnostics of the version, once they are there. */
async function diagnosticsOf(version: number, of = uri): Promise<PublishDiagnosticsParams['diagnostics']> {
  for (;;) {
    const found = published.findLast((each) => each.version === version && each.uri === of);
    if (found) return found.diagnostics;
    await new Promise<void>((done) => {
      onPublished = done;
    });
  }
}

const ask = <Answer>(method: string, params: object, of = uri) =>
  client.sendRequest(`textDocument/${method}`, { textDocument: { uri: of }, ...params }) as Promise<Answer>;
const at = (line: number, character: number) => ({ position: { line, character } });

beforeAll(async () => {
  program = spawn(join(ROOT, 'bin/thinklang'), ['lsp'], {
    env: { PATH: process.env.PATH, WOOSTER_HOME: folder, ROUTING_LOCAL_ENABLED: 'false' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  if (!program.stdout || !program.stdin) throw new Error('no pipes');
  client = createProtocolConnection(new StreamMessageReader(program.stdout), new StreamMessageWriter(program.stdin));
  client.onNotification('textDocument/publishDiagnostics', (params: PublishDiagnosticsParams) => {
    published.push(params);
    onPublished();
  });
  client.listen();
  await client.sendRequest('initialize', { processId: null, rootUri: pathToFileURL(folder).href, capabilities: {} });
  await client.sendNotification('initialized', {});
  const textDocument = { uri, languageId: 'thinklang', version: 1, text: SOURCE };
  await client.sendNotification('textDocument/didOpen', { textDocument });
}, 60_000);

afterAll(async () => {
  await client.sendRequest('shutdown');
  await client.sendNotification('exit');
  const code = await new Promise((done) => program.once('exit', done));
  rmSync(folder, { recursive: true, force: true });
  expect(code).toBe(0);
});

test('shows what is wrong, and puts it right', async () => {
  expect(await diagnosticsOf(1)).toMatchObject([
    { code: 'TL2001', severity: 1, range: { start: { line: 3, character: 6 }, end: { line: 3, character: 11 } } },
  ]);
  const range = { start: { line: 3, character: 6 }, end: { line: 3, character: 6 } };
  expect(await ask('codeAction', { range, context: { diagnostics: [] } })).toMatchObject([
    { title: 'Write `mood`', edit: { changes: { [uri]: [{ newText: 'mood' }] } } },
  ]);
});

test('knows names: what they are, where they are declared and used, and renames them', async () => {
  expect(await ask('hover', at(2, 7))).toMatchObject({ contents: { value: '```tl\nmood: Mood\n```' } });
  expect(await ask('hover', at(1, 18))).toMatchObject({
    contents: { value: expect.stringContaining('label: string') },
  });
  expect(await ask('definition', at(2, 7))).toMatchObject({ uri, range: { start: { line: 1, character: 4 } } });
  expect(await ask('definition', at(1, 18))).toMatchObject({ uri, range: { start: { line: 0, character: 5 } } });
  const context = { includeDeclaration: true };
  expect(await ask('references', { ...at(1, 5), context })).toHaveLength(2);
  const edit = await ask<{ changes: Record<string, object[]> }>('rename', { ...at(2, 7), newName: 'feeling' });
  expect(edit.changes[uri]).toHaveLength(2);
  await expect(ask('rename', { ...at(2, 7), newName: 'type' })).rejects.toThrow('type is a reserved word');
  expect(await ask('prepareRename', at(2, 7))).toMatchObject({ start: at(2, 6).position, end: at(2, 10).position });
  expect(await ask('prepareRename', at(2, 2))).toBeNull();
});

test('offers fields, lists what is declared, and lays the file out', async () => {
  expect(await ask('completion', at(2, 11))).toMatchObject([{ label: 'label', detail: 'string' }]);
  const names = (await ask<{ label: string }[]>('completion', at(3, 6))).map(({ label }) => label);
  expect(names).toEqual(expect.arrayContaining(['mood', 'Mood', 'print', 'queryRAG']));
  expect(await ask('documentSymbol', {})).toMatchObject([
    { name: 'Mood', children: [{ name: 'label' }] },
    { name: 'mood' },
  ]);
  const options = { tabSize: 2, insertSpaces: true };
  expect(await ask('formatting', { options })).toMatchObject([
    { newText: expect.stringContaining('type Mood {\n  label') },
  ]);
});

test('follows changes piece by piece', async () => {
  const change = (version: number, text: string, line: number, from: number, to: number) =>
    client.sendNotification('textDocument/didChange', {
      textDocument: { uri, version },
      contentChanges: [{ range: { start: { line, character: from }, end: { line, character: to } }, text }],
    });
  await change(2, '', 3, 8, 9);
  expect(await diagnosticsOf(2)).toEqual([]);
  await change(3, 'let = ', 3, 0, 0);
  expect(await diagnosticsOf(3)).toMatchObject([{ code: 'TL1001' }]);
});

const LIB = '/// Greets someone.\nfn greet(who: string, loud: bool): string { return who + loud }\n';
const [lib, other, main] = ['lib', 'other', 'main'].map((name) => pathToFileURL(join(folder, `${name}.tl`)).href);

describe('across files', () => {
  const text = [
    'import { greet } from "./lib"',
    'let greeting = greet("Ada", true)',
    'let record = { greeting }',
    'fn twice(n: string): string { return greeting + n }',
    'print record.greeting + twice("2")',
    '',
  ].join('\n');

  beforeAll(async () => {
    writeFileSync(join(folder, 'lib.tl'), LIB);
    writeFileSync(join(folder, 'other.tl'), 'import { greet } from "./lib"\nprint greet("Bo", false)\n');
    const textDocument = { uri: main, languageId: 'thinklang', version: 1, text };
    await client.sendNotification('textDocument/didOpen', { textDocument });
    expect(await diagnosticsOf(1, main)).toEqual([]);
  });

  test('a name is found where it is declared and wherever it is used, in files that are not open too', async () => {
    expect(await ask('definition', at(1, 17), main)).toMatchObject({ uri: lib, range: { start: { line: 1 } } });
    expect(await ask('hover', at(1, 17), main)).toMatchObject({
      contents: { value: '```tl\nfn greet(who: string, loud: bool): string\n```\n\nGreets someone.' },
    });
    const places = async (includeDeclaration: boolean) => {
      const found = await ask<{ uri: string; range: { start: object } }[]>(
        'references',
        { ...at(0, 10), context: { includeDeclaration } },
        main,
      );
      return found.map((each) => `${each.uri.split('/').at(-1)} ${Object.values(each.range.start).join(':')}`).sort();
    };
    const uses = ['main.tl 0:9', 'main.tl 1:15', 'other.tl 0:9', 'other.tl 1:6'];
    expect(await places(true)).toEqual(['lib.tl 1:3', ...uses]);
    expect(await places(false)).toEqual(uses);
  });

  test('renaming changes every file, and a field keeps its name', async () => {
    const rename = (line: number, character: number, newName: string) =>
      ask<{ changes: Record<string, { newText: string }[]> }>('rename', { ...at(line, character), newName }, main);
    const { changes } = await rename(1, 17, 'welcome');
    expect(Object.entries(changes).map(([file, edits]) => [file, edits.length])).toEqual(
      expect.arrayContaining([
        [lib, 1],
        [main, 2],
        [other, 2],
      ]),
    );
    const local = await rename(1, 5, 'hello');
    expect(local.changes[main ?? '']?.map(({ newText }) => newText)).toEqual(['hello', 'greeting: hello', 'hello']);
  });

  test.each([
    ['a name that is there already', 'record', 'record'],
    ['a name that means something else in one place', 'n', 'means something else'],
    ['what is no name', '2nd', 'letters'],
  ])('%s is refused', async (_, newName, why) => {
    await expect(ask('rename', { ...at(1, 5), newName }, main)).rejects.toThrow(why);
  });

  test('a change of one file is seen in those that import it', async () => {
    const shorter = LIB.replace('who: string, loud: bool', 'who: string').replace('who + loud', 'who');
    const before = published.length;
    const textDocument = { uri: lib, languageId: 'thinklang', version: 1, text: shorter };
    await client.sendNotification('textDocument/didOpen', { textDocument });
    await diagnosticsOf(1, lib);
    await ask('documentSymbol', {}, main);
    expect(published.slice(before).findLast(({ uri: of }) => of === main)?.diagnostics).toMatchObject([
      { code: 'TL3002' },
    ]);
    await client.sendNotification('textDocument/didClose', { textDocument: { uri: lib } });
    await ask('documentSymbol', {}, main);
    expect(published.findLast(({ uri: of }) => of === main)?.diagnostics).toEqual([]);
  });
});

/** Open a text. @returns its URI. */
async function opened(name: string, text: string): Promise<string> {
  const address = pathToFileURL(join(folder, `${name}.tl`)).href;
  const textDocument = { uri: address, languageId: 'thinklang', version: 1, text };
  await client.sendNotification('textDocument/didOpen', { textDocument });
  return address;
}

test('a call that is being written says what it takes', async () => {
  const text = 'import { greet } from "./lib"\nprint greet(("a"), \nprint think<string[]>(\nprint greet("(", true)\n';
  const address = await opened('calls', text);
  expect(await ask('signatureHelp', at(1, 18), address)).toEqual({
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
  expect(await ask('signatureHelp', at(2, 22), address)).toMatchObject({
    signatures: [{ label: 'think<T>(prompt: string)' }],
  });
  expect(await ask('signatureHelp', at(3, 12), address)).toMatchObject({ activeParameter: 0 });
  expect(await ask('signatureHelp', at(0, 3), address)).toBeNull();
});

test('words are coloured by what they mean', async () => {
  const text = [
    'type Mood { type: string }',
    'fn f(p: Mood): string { return p.type.trim() } // over',
    'agent<Mood>("two',
    'lines") with tools: queryRAG guard { length: 1..2 }',
    '',
  ].join('\n');
  const { data } = await ask<{ data: number[] }>('semanticTokens/full', {}, await opened('colours', text));
  const types = 'keyword type function method variable parameter property decorator string number comment'.split(' ');
  const words: string[] = [];
  let [line, column] = [0, 0];
  for (let at = 0; at < data.length; at += 5) {
    const [down = 0, right = 0, length = 0, type = 0, modifiers = 0] = data.slice(at, at + 5);
    [line, column] = down > 0 ? [line + down, right] : [line, column + right];
    const word = text.split('\n')[line]?.slice(column, column + length);
    words.push(`${word}=${types[type]}${['', '!', '*'][modifiers]}`);
  }
  expect(words.join(' ')).toBe(
    'type=keyword Mood=type! type=property! string=type* ' +
      'fn=keyword f=function! p=parameter! Mood=type string=type* return=keyword p=parameter type=property ' +
      'trim=method // over=comment ' +
      'agent=keyword Mood=type "two=string lines"=string with=keyword tools=keyword queryRAG=function* ' +
      'guard=keyword length=property 1=number 2=number',
  );
});
