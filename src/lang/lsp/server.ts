import { fileURLToPath, pathToFileURL } from 'node:url';
import { createConnection } from 'vscode-languageserver';
import {
  CodeActionKind,
  type CompletionItem,
  CompletionItemKind,
  type Connection,
  createProtocolConnection,
  DiagnosticSeverity,
  DocumentSymbol,
  type Diagnostic as Problem,
  type Range,
  type ServerCapabilities,
  SymbolKind,
  TextDocumentSyncKind,
  TextDocuments,
  TextEdit,
} from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { checkSource, type Module } from '../check/check.ts';
import { showType } from '../check/types.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { printProgram } from '../format/format.ts';
import type { Statement } from '../grammar/ast.ts';
import type { Location } from '../grammar/location.ts';
import { RESERVED } from '../grammar/unexpected.ts';
import { readSource } from '../source.ts';
import { definitionAt, describe, isShared, membersBefore, nameAt, placesOf } from './lookup.ts';

export interface LanguageServerOptions {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
  /** Tools of the assistant, by the names that programs call them. */
  readonly tools: readonly string[];
}

/**
 * Serve an editor: a language server over the Language Server Protocol.
 *
 * @returns the exit code, once the editor has closed the connection or said that the server shall exit.
 * @see https://microsoft.github.io/language-server-protocol/
 */
export function serveEditor({ input, output, tools }: LanguageServerOptions): Promise<number> {
  return new Promise<number>((resolve) => {
    // The one that the package has for Node ends the process by itself.
    const ending = { shutdownReceived: false, initialize: () => {}, exit: resolve };
    const connection = createConnection((logger) => createProtocolConnection(input, output, logger), ending);
    input.once('end', () => resolve(ending.shutdownReceived ? 0 : 1));
    new EditorServer(connection, tools).listen();
  }).finally(() => input.pause());
}

class EditorServer {
  readonly #connection: Connection;
  readonly #tools: readonly string[];
  readonly #documents = new TextDocuments(TextDocument);
  readonly #modules = new Map<string, { readonly version: number; readonly module: Module }>();

  constructor(connection: Connection, tools: readonly string[]) {
    this.#connection = connection;
    this.#tools = tools;
  }

  listen(): void {
    this.#connection.onInitialize(() => ({ serverInfo: { name: 'thinklang' }, capabilities: CAPABILITIES }));
    this.#documents.onDidChangeContent(({ document }) => this.#publish(document));
    this.#documents.onDidClose(({ document }) => {
      this.#modules.delete(document.uri);
      void this.#connection.sendDiagnostics({ uri: document.uri, diagnostics: [] });
    });
    this.#answer();
    this.#documents.listen(this.#connection);
    this.#connection.listen();
  }

  #answer(): void {
    const connection = this.#connection;
    connection.onHover(({ textDocument, position }) => {
      const at = this.#at(textDocument.uri, position);
      const use = at && nameAt(at.module, at.offset);
      return use ? { contents: { kind: 'markdown', value: `\`\`\`tl\n${describe(use)}\n\`\`\`` } } : null;
    });
    connection.onDefinition(({ textDocument, position }) => {
      const at = this.#at(textDocument.uri, position);
      const found = at && definitionAt(at.module, at.offset);
      if (!found) return null;
      const uri = found.module === at.module ? textDocument.uri : pathToFileURL(found.module.path).href;
      return { uri, range: rangeOf(found.location) };
    });
    connection.onReferences(({ textDocument: { uri }, position }) => {
      const at = this.#at(uri, position);
      return at ? placesOf(at.module, at.offset).map((location) => ({ uri, range: rangeOf(location) })) : [];
    });
    connection.onRenameRequest(({ textDocument: { uri }, position, newName }) => {
      const at = this.#at(uri, position);
      if (!at || isShared(at.module, at.offset) || RESERVED.has(newName) || !/^[A-Za-z_]\w*$/u.test(newName))
        return null;
      const edits = placesOf(at.module, at.offset).map((location) => TextEdit.replace(rangeOf(location), newName));
      return edits.length > 0 ? { changes: { [uri]: edits } } : null;
    });
    connection.onDocumentSymbol(({ textDocument }) => {
      const module = this.#module(textDocument.uri);
      return module?.program.statements.flatMap(symbolsOf) ?? [];
    });
    connection.onDocumentFormatting(({ textDocument }) => this.#format(textDocument.uri));
    connection.onCompletion(({ textDocument, position }) => this.#complete(textDocument.uri, position));
    connection.onCodeAction(({ textDocument: { uri }, range }) => {
      const found = this.#module(uri)?.diagnostics ?? [];
      const here = found.filter(
        ({ location }) => location.start.line - 1 <= range.end.line && location.end.line - 1 >= range.start.line,
      );
      return here.flatMap((each) => (each.fix ? [actionOf(each, each.fix, uri)] : []));
    });
  }

  #publish(document: TextDocument): void {
    const module = this.#module(document.uri);
    const diagnostics = module?.diagnostics.map(problemOf) ?? [];
    void this.#connection.sendDiagnostics({ uri: document.uri, version: document.version, diagnostics });
  }

  /** The checked text of an open document; imports are read from other open ones first. */
  #module(uri: string): Module | undefined {
    const document = this.#documents.get(uri);
    if (!document) return undefined;
    const known = this.#modules.get(uri);
    if (known && known.version === document.version) return known.module;
    const read = (path: string) => this.#documents.get(pathToFileURL(path).href)?.getText() ?? readSource(path);
    const { main: module } = checkSource(document.getText(), pathOf(uri), { read, tools: this.#tools });
    this.#modules.set(uri, { version: document.version, module });
    return module;
  }

  #at(uri: string, position: { line: number; character: number }): { module: Module; offset: number } | undefined {
    const module = this.#module(uri);
    const offset = this.#documents.get(uri)?.offsetAt(position);
    return module && offset !== undefined ? { module, offset } : undefined;
  }

  #format(uri: string): TextEdit[] {
    const module = this.#module(uri);
    const document = this.#documents.get(uri);
    if (!module || !document || module.diagnostics.some(({ code }) => code.startsWith('TL1'))) return [];
    const text = printProgram(module.program, module.source);
    const whole = { start: document.positionAt(0), end: document.positionAt(module.source.length) };
    return text === module.source ? [] : [TextEdit.replace(whole, text)];
  }

  #complete(uri: string, position: { line: number; character: number }): CompletionItem[] {
    const module = this.#module(uri);
    const document = this.#documents.get(uri);
    if (!module || !document) return [];
    const before = document.getText({ start: { line: position.line, character: 0 }, end: position });
    if (/\.\w*$/u.test(before)) {
      return [...membersBefore(module, before)].map(([label, type]) => {
        const kind = type.kind === 'function' ? CompletionItemKind.Method : CompletionItemKind.Field;
        return { label, kind, detail: showType(type.kind === 'function' ? type.result : type) };
      });
    }
    const names = new Map(module.facts.uses.map((use) => [use.declared.name, describe(use)]));
    return [
      ...[...names].map(([label, detail]) => ({ label, kind: CompletionItemKind.Variable, detail })),
      ...[...RESERVED].map((label) => ({ label, kind: CompletionItemKind.Keyword })),
      ...this.#tools.map((label) => ({ label, kind: CompletionItemKind.Function, detail: 'a tool of the assistant' })),
    ];
  }
}

const CAPABILITIES: ServerCapabilities = {
  textDocumentSync: TextDocumentSyncKind.Incremental,
  hoverProvider: true,
  definitionProvider: true,
  referencesProvider: true,
  renameProvider: true,
  documentSymbolProvider: true,
  documentFormattingProvider: true,
  codeActionProvider: { codeActionKinds: [CodeActionKind.QuickFix] },
  completionProvider: { triggerCharacters: ['.', '<', ':'] },
};

function pathOf(uri: string): string {
  return uri.startsWith('file:') ? fileURLToPath(uri) : uri;
}

function rangeOf({ start, end }: Location): Range {
  return {
    start: { line: start.line - 1, character: start.column - 1 },
    end: { line: end.line - 1, character: end.column - 1 },
  };
}

function problemOf({ code, severity, message, hint, location }: Diagnostic): Problem {
  return {
    range: rangeOf(location),
    severity: severity === 'error' ? DiagnosticSeverity.Error : DiagnosticSeverity.Warning,
    source: 'thinklang',
    message: hint === undefined ? message : `${message}: ${hint}`,
    code,
  };
}

function actionOf(problem: Diagnostic, { title, location, text }: NonNullable<Diagnostic['fix']>, uri: string) {
  const edit = { changes: { [uri]: [TextEdit.replace(rangeOf(location), text)] } };
  return { title, kind: CodeActionKind.QuickFix, diagnostics: [problemOf(problem)], edit };
}

const SYMBOLS: Readonly<Partial<Record<Statement['type'], SymbolKind>>> = {
  TypeDeclaration: SymbolKind.Struct,
  FunctionDeclaration: SymbolKind.Function,
  ToolDeclaration: SymbolKind.Interface,
  ParamDeclaration: SymbolKind.Property,
  LetDeclaration: SymbolKind.Variable,
};

function symbolsOf(node: Statement): DocumentSymbol[] {
  const kind = SYMBOLS[node.type];
  if (kind === undefined || !('name' in node) || node.name.type !== 'Name') return [];
  const { name, location } = node.name;
  const children =
    node.type === 'TypeDeclaration'
      ? node.fields.map(({ name: field, location: whole }) =>
          DocumentSymbol.create(field.name, undefined, SymbolKind.Field, rangeOf(whole), rangeOf(field.location)),
        )
      : [];
  return [DocumentSymbol.create(name, undefined, kind, rangeOf(node.location), rangeOf(location), children)];
}
