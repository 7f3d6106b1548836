import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
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
async function diagnosticsOf(version: number): Promise<PublishDiagnosticsParams['diagnostics']> {
  for (;;) {
    const found = published.findLast((each) => each.version === version);
    if (found) return found.diagnostics;
    await new Promise<void>((done) => {
      onPublished = done;
    });
  }
}

const ask = <Answer>(method: string, params: object) =>
  client.sendRequest(`textDocument/${method}`, { textDocument: { uri }, ...params }) as Promise<Answer>;
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
  await client.sendRequest('initialize', { processId: null, rootUri: null, capabilities: {} });
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
  expect(await ask('rename', { ...at(2, 7), newName: 'type' })).toBeNull();
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
