import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { onTestFinished } from 'vitest';
import {
  createProtocolConnection,
  type PublishDiagnosticsParams,
  type Range,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver/node';
import { serveEditor } from '../lang/lsp/server.ts';
import type { Files } from './checked-programs.ts';
import { temporaryFolder } from './home.ts';

/** `1:4-1:8`, as the protocol counts: from 0. */
export function showRange({ start, end }: Range): string {
  return `${start.line}:${start.character}-${end.line}:${end.character}`;
}

/** An editor in this process, and the server that it talks to; `files` are on the disk. */
export async function openEditor({ files = {}, tools = [] }: { files?: Files; tools?: readonly string[] } = {}) {
  const folder = temporaryFolder();
  const uriOf = (name: string) => pathToFileURL(join(folder, name)).href;
  const write = (name: string, text: string) => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  };
  for (const [name, text] of Object.entries(files)) write(name, text);
  const [input, output] = [new PassThrough(), new PassThrough()];
  const served = serveEditor({ input, output, tools });
  const client = createProtocolConnection(new StreamMessageReader(output), new StreamMessageWriter(input));
  const published: PublishDiagnosticsParams[] = [];
  client.onNotification('textDocument/publishDiagnostics', (each: PublishDiagnosticsParams) => {
    published.push(each);
  });
  client.listen();
  onTestFinished(() => {
    client.dispose();
    input.end();
  });
  const notify = (method: string, params: object) => client.sendNotification(`textDocument/${method}`, params);
  const ask = <Answer>(method: string, name: string, params: object = {}) =>
    client.sendRequest<Answer>(`textDocument/${method}`, { textDocument: { uri: uriOf(name) }, ...params });
  return {
    ...{ folder, client, input, served, write, uriOf, notify, ask },
    initialize: (params: object = { rootUri: pathToFileURL(folder).href }) =>
      client.sendRequest('initialize', { processId: null, capabilities: {}, ...params }),
    open: (name: string, text: string, version = 1) =>
      notify('didOpen', { textDocument: { uri: uriOf(name), languageId: 'thinklang', version, text } }),
    /** What was published since it was asked last, once the server has caught up. */
    news: async () => {
      await ask('documentSymbol', 'nothing.tl');
      const name = (uri: string) => uri.slice(uriOf('').length + 1);
      return published.splice(0).map(({ uri, ...rest }) => ({ file: name(uri), ...rest }));
    },
  };
}
