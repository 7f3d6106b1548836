import { createConnection } from 'vscode-languageserver';
import {
  CodeActionKind,
  type CompletionItem,
  CompletionItemKind,
  type Connection,
  createProtocolConnection,
  DiagnosticSeverity,
  DocumentSymbol,
  LSPErrorCodes,
  type Diagnostic as Problem,
  type Range,
  ResponseError,
  type ServerCapabilities,
  SymbolKind,
  TextDocumentSyncKind,
  TextDocuments,
  TextEdit,
} from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { Module } from '../check/check.ts';
import { showType } from '../check/types.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { printProgram } from '../format/format.ts';
import type { Statement } from '../grammar/ast.ts';
import type { Location } from '../grammar/location.ts';
import { RESERVED } from '../grammar/unexpected.ts';
import { ProgramFiles, pathOf } from './files.ts';
import {
  definitionAt,
  describe,
  docOf,
  fieldAt,
  fieldDefinition,
  importedNameAt,
  membersBefore,
  nameAt,
  placesEverywhere,
  toolsFor,
} from './lookup.ts';
import { renaming } from './rename.ts';
import { signatureAt } from './signature.ts';
import { semanticTokens, TOKEN_LEGEND } from './tokens.ts';
import { CONTEXTUAL } from './words.ts';

export interface LanguageServerOptions {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
  /** The assistant's tools, under the names that programs use for them. */
  readonly tools: readonly string[];
}

/**
 * Serve an editor over the Language Server Protocol.
 *
 * @returns the exit code, once the editor has closed the connection or told the server to exit.
 * @see https://microsoft.github.io/language-server-protocol/
 */
export function serveEditor({ input, output, tools }: LanguageServerOptions): Promise<number> {
  return new Promise<number>((resolve) => {
    // The package's own connection for Node ends the process by itself.
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
  readonly #files: ProgramFiles;

  constructor(connection: Connection, tools: readonly string[]) {
    this.#connection = connection;
    this.#tools = tools;
    this.#files = new ProgramFiles(this.#documents, tools);
  }

  listen(): void {
    this.#connection.onInitialize(({ workspaceFolders, rootUri }) => {
      const uris = workspaceFolders?.map(({ uri }) => uri) ?? (rootUri ? [rootUri] : []);
      this.#files.folders = uris.map(pathOf);
      return { serverInfo: { name: 'thinklang' }, capabilities: CAPABILITIES };
    });
    this.#documents.onDidChangeContent(({ document }) => {
      this.#publish(document);
      this.#publishImporting(pathOf(document.uri));
    });
    this.#documents.onDidClose(({ document: { uri } }) => {
      this.#files.forget(uri);
      void this.#connection.sendDiagnostics({ uri, diagnostics: [] });
      this.#publishImporting(pathOf(uri));
    });
    this.#connection.onDidChangeWatchedFiles(({ changes }) => {
      for (const { uri } of changes) this.#publishImporting(pathOf(uri));
    });
    this.#answerAboutNames();
    this.#answerAboutFiles();
    this.#documents.listen(this.#connection);
    this.#connection.listen();
  }

  #answerAboutNames(): void {
    const connection = this.#connection;
    connection.onHover(({ textDocument, position }) => {
      const at = this.#at(textDocument.uri, position);
      const field = at && fieldAt(at.module, at.offset);
      const use = at && (nameAt(at.module, at.offset) ?? field);
      if (!use) return null;
      const found = definitionAt(at.module, at.offset);
      const doc = found ? docOf(found) : field && fieldDefinition(at.module, field)?.doc;
      const value = `\`\`\`tl\n${describe(use)}\n\`\`\`${doc === undefined ? '' : `\n\n${doc}`}`;
      return { contents: { kind: 'markdown', value } };
    });
    connection.onDefinition(({ textDocument, position }) => {
      const at = this.#at(textDocument.uri, position);
      const field = at && fieldAt(at.module, at.offset);
      const found = at && (definitionAt(at.module, at.offset) ?? (field && fieldDefinition(at.module, field)));
      return found ? { uri: this.#files.uri(found.module.path), range: rangeOf(found.location) } : null;
    });
    connection.onReferences(({ textDocument, position, context: { includeDeclaration } }) => {
      const at = this.#at(textDocument.uri, position);
      const found = at && definitionAt(at.module, at.offset);
      if (!found) return [];
      return [...placesEverywhere(this.#files, found)].flatMap(([module, places]) =>
        places
          .filter(
            (place) =>
              includeDeclaration ||
              module.path !== found.module.path ||
              place.start.offset !== found.location.start.offset,
          )
          .map((place) => ({ uri: this.#files.uri(module.path), range: rangeOf(place) })),
      );
    });
    connection.onPrepareRename(({ textDocument, position }) => {
      const at = this.#at(textDocument.uri, position);
      const found = at && definitionAt(at.module, at.offset);
      const here = found && placeUnder(at);
      return here ? rangeOf(here) : null;
    });
    connection.onRenameRequest(({ textDocument, position, newName }) => {
      const at = this.#at(textDocument.uri, position);
      const found = at && definitionAt(at.module, at.offset);
      if (!found) return null;
      const renamed = renaming(this.#files, found, newName);
      if (!renamed.ok) return new ResponseError(LSPErrorCodes.RequestFailed, renamed.why);
      const changes = [...renamed.edits].map(([module, edits]) => {
        const texts = edits.map(({ location, text }) => TextEdit.replace(rangeOf(location), text));
        return [this.#files.uri(module.path), texts] as const;
      });
      return { changes: Object.fromEntries(changes) };
    });
    connection.onSignatureHelp(({ textDocument, position }) => {
      const at = this.#at(textDocument.uri, position);
      return at ? signatureAt(at.module, at.offset) : null;
    });
  }

  #answerAboutFiles(): void {
    const connection = this.#connection;
    const tools = new Set(this.#tools);
    connection.languages.semanticTokens.on(({ textDocument }) => {
      const module = this.#files.module(textDocument.uri);
      return module ? semanticTokens(module, tools) : { data: [] };
    });
    connection.onDocumentSymbol(({ textDocument }) => {
      const module = this.#files.module(textDocument.uri);
      return module?.program.statements.flatMap(symbolsOf) ?? [];
    });
    connection.onDocumentFormatting(({ textDocument }) => this.#format(textDocument.uri));
    connection.onCompletion(({ textDocument, position }) => this.#complete(textDocument.uri, position));
    connection.onCodeAction(({ textDocument: { uri }, range }) => {
      const found = this.#files.module(uri)?.diagnostics ?? [];
      const here = found.filter(
        ({ location }) => location.start.line - 1 <= range.end.line && location.end.line - 1 >= range.start.line,
      );
      return here.flatMap((each) => (each.fix ? [actionOf(each, each.fix, uri)] : []));
    });
  }

  #publish(document: TextDocument): void {
    const module = this.#files.module(document.uri);
    const diagnostics = module?.diagnostics.map(problemOf) ?? [];
    void this.#connection.sendDiagnostics({ uri: document.uri, version: document.version, diagnostics });
  }

  /** A change in one file can break others, or fix them. */
  #publishImporting(path: string): void {
    for (const uri of this.#files.forgetImporting(path)) {
      const document = this.#documents.get(uri);
      if (document) this.#publish(document);
    }
  }

  #at(uri: string, position: { line: number; character: number }): { module: Module; offset: number } | undefined {
    const module = this.#files.module(uri);
    const offset = this.#documents.get(uri)?.offsetAt(position);
    return module && offset !== undefined ? { module, offset } : undefined;
  }

  #format(uri: string): TextEdit[] {
    const module = this.#files.module(uri);
    const document = this.#documents.get(uri);
    if (!module || !document || module.diagnostics.some(({ code }) => code.startsWith('TL1'))) return [];
    const text = printProgram(module.program, module.source);
    const whole = { start: document.positionAt(0), end: document.positionAt(module.source.length) };
    return text === module.source ? [] : [TextEdit.replace(whole, text)];
  }

  #complete(uri: string, position: { line: number; character: number }): CompletionItem[] {
    const module = this.#files.module(uri);
    const document = this.#documents.get(uri);
    if (!module || !document) return [];
    const before = document.getText({ start: { line: position.line, character: 0 }, end: position });
    if (/\.\w*$/u.test(before)) {
      return [...membersBefore(module, before)].map(([label, type]) => {
        const kind = type.kind === 'function' ? CompletionItemKind.Method : CompletionItemKind.Field;
        return { label, kind, detail: showType(type.kind === 'function' ? type.result : type) };
      });
    }
    const tools = toolsFor(module, document.offsetAt(position), this.#tools);
    if (tools) return tools.map((label) => this.#toolItem(module, label));
    const names = new Map(module.facts.uses.map((use) => [use.declared.name, describe(use)]));
    return [
      ...[...names].map(([label, detail]) => ({ label, kind: CompletionItemKind.Variable, detail })),
      ...[...RESERVED, ...CONTEXTUAL].map((label) => ({ label, kind: CompletionItemKind.Keyword })),
      ...this.#tools.map((label) => ({ label, kind: CompletionItemKind.Function, detail: OF_THE_ASSISTANT })),
    ];
  }

  #toolItem({ facts }: Module, label: string): CompletionItem {
    const own = facts.uses.find(({ declared }) => declared.name === label);
    return { label, kind: CompletionItemKind.Function, detail: own ? describe(own) : OF_THE_ASSISTANT };
  }
}

const OF_THE_ASSISTANT = 'a tool of the assistant';

const CAPABILITIES: ServerCapabilities = {
  textDocumentSync: TextDocumentSyncKind.Incremental,
  hoverProvider: true,
  definitionProvider: true,
  referencesProvider: true,
  renameProvider: { prepareProvider: true },
  signatureHelpProvider: { triggerCharacters: ['(', ','] },
  semanticTokensProvider: { legend: TOKEN_LEGEND, full: true },
  documentSymbolProvider: true,
  documentFormattingProvider: true,
  codeActionProvider: { codeActionKinds: [CodeActionKind.QuickFix] },
  completionProvider: { triggerCharacters: ['.', '<', ':'] },
};

/** The name that stands at an offset, used or imported. */
function placeUnder({ module, offset }: { module: Module; offset: number }): Location | undefined {
  return (nameAt(module, offset) ?? importedNameAt(module, offset))?.location;
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
