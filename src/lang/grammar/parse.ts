import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { Diagnostics } from '../diagnostics/diagnostic.ts';
import type { Comment, ImportDeclaration, Program, Statement } from './ast.ts';
import { tooDeep } from './children.ts';
import { clauseName } from './clause-names.ts';
import { LineMap, type Location } from './location.ts';
import { parse as parseStart } from './parser.gen.ts';
import { behindBlock, nextStatement, type Resume } from './recover.ts';
import { type Scan, scan } from './scan.ts';
import { describeFailure, type Expectation } from './unexpected.ts';

/** The most characters of a source. */
export const LONGEST_SOURCE = 1_048_576;
/** Nesting depth of nodes: code that reads a program may recurse this deep. */
const DEEPEST_PROGRAM = 1_000;
/** After this many syntax errors the rest is not read. */
const MOST_ERRORS = 20;

export interface ParseOptions {
  /** The path to name in diagnostics. */
  readonly file?: string;
}

export interface Parsed {
  /** What could be read: the program without the statements that have syntax errors. */
  readonly program: Program;
  /** Syntax errors in source order; empty when the whole source is a program. */
  readonly diagnostics: readonly Diagnostic[];
  readonly lines: LineMap;
}

/** The generated parser's result for as many statements as it could read. */
interface Attempt {
  readonly peg$result: readonly (Statement | ImportDeclaration)[];
  /** Where it ended. */
  readonly peg$currPos: number;
  /** The furthest position that any rule reached, and what it expected there. */
  readonly peg$maxFailPos: number;
  readonly peg$maxFailExpected: readonly Expectation[];
}

/**
 * Parse a ThinkLang program. It never throws and never hangs: every problem is a diagnostic with its location, and
 * after an error parsing resumes at the next statement, so that several errors are reported at once.
 *
 * @param source  at most 1,048,576 characters; longer ones, and texts that are not Unicode, are refused unread.
 */
export function parse(source: string, { file = '' }: ParseOptions = {}): Parsed {
  const lines = new LineMap(source);
  const found = new Diagnostics(file);
  if (refuseUnread(source, lines, found)) return { program: emptyProgram(lines), diagnostics: found.list, lines };
  const scanned = scan(source, lines);
  if (scanned.problem?.kind === 'too_deep') {
    const { start, end } = scanned.problem;
    found.add('TL1005', lines.locate(start, end), 'these brackets are nested too deeply', { hint: UNNEST });
    return { program: emptyProgram(lines), diagnostics: found.list, lines };
  }
  const parser = new StatementParser(source, { lines, scanned, found });
  return { program: parser.program(), diagnostics: found.sorted(), lines };
}

const UNNEST = 'give the inner parts names with `let`';

/** Problems that are found without the grammar. @returns whether there are any. */
function refuseUnread(source: string, lines: LineMap, found: Diagnostics): boolean {
  const place = (offset: number) => lines.locate(offset, Math.min(offset + 1, source.length));
  if (source.length > LONGEST_SOURCE) {
    const message = `the file has ${source.length} characters, the most are ${LONGEST_SOURCE}`;
    found.add('TL1006', place(0), message, { hint: 'read large texts with a tool' });
    return true;
  }
  const nul = source.indexOf('\0');
  if (nul >= 0) {
    found.add('TL1007', place(nul), 'there is a NUL character here', { hint: 'save the file as UTF-8 text' });
    return true;
  }
  if (source.isWellFormed()) return false;
  const half = source.search(/\p{Surrogate}/u);
  found.add('TL1008', place(half), 'there is half of a character here', { hint: 'save the file as UTF-8' });
  return true;
}

function emptyProgram(lines: LineMap): Program {
  return { type: 'Program', imports: [], statements: [], comments: [], location: lines.locate(0, 0) };
}

/** Parses statements with error recovery. */
class StatementParser {
  readonly #source: string;
  readonly #lines: LineMap;
  readonly #scanned: Scan;
  readonly #found: Diagnostics;
  readonly #imports: ImportDeclaration[] = [];
  readonly #statements: Statement[] = [];
  /** Blocks around the current position whose beginning was skipped after an error. */
  #openBlocks = 0;

  constructor(source: string, parts: { lines: LineMap; scanned: Scan; found: Diagnostics }) {
    this.#source = source;
    this.#lines = parts.lines;
    this.#scanned = parts.scanned;
    this.#found = parts.found;
  }

  program(): Program {
    for (let at = 0; at < this.#source.length && this.#found.list.length < MOST_ERRORS; ) at = this.#step(at);
    this.#noteScanProblem();
    const statements = attachDocs(this.#statements, this.#scanned.comments);
    const location = this.#lines.locate(0, this.#source.length);
    const comments = this.#scanned.comments;
    return { type: 'Program', imports: this.#imports, statements, comments, location };
  }

  /** Parse statements from an offset on. @returns the offset after the error that ended them. */
  #step(at: number): number {
    const attempt = this.#attempt(at);
    if (!attempt) return this.#source.length;
    for (const node of attempt.peg$result) this.#take(node);
    return attempt.peg$currPos >= this.#source.length ? attempt.peg$currPos : this.#recover(at, attempt);
  }

  /** @returns undefined when the stack overflowed, which is reported. */
  #attempt(at: number): Attempt | undefined {
    const options = {
      peg$library: true,
      peg$currPos: at,
      locate: (start: number, end: number) => this.#lines.locate(start, end),
      colon: (offset: number) => this.#noteColon(offset),
      twice: (name: string, start: number, end: number) => this.#noteTwice(name, this.#lines.locate(start, end)),
      target: (location: Location) =>
        this.#found.add('TL1012', location, 'only a variable can be given a value', {
          hint: 'to compare, write `==`; to change a part of a record, make a new one',
        }),
    };
    try {
      return parseStart(this.#source, options) as Attempt;
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      this.#noteDepth(this.#lines.locate(at, at + 1));
      return undefined;
    }
  }

  #take(node: Statement | ImportDeclaration): void {
    const deep = tooDeep(node, DEEPEST_PROGRAM);
    if (deep) this.#noteDepth(deep.location);
    else if (node.type !== 'ImportDeclaration') this.#statements.push(node);
    else if (this.#statements.length === 0) this.#imports.push(node);
    else this.#found.add('TL1009', node.location, 'imports stand at the top of the file', { hint: 'move it up' });
  }

  #recover(at: number, { peg$currPos: end, peg$maxFailPos: furthest, peg$maxFailExpected: expected }: Attempt): number {
    const blockEnd = this.#leaveBlock(end);
    if (blockEnd !== undefined) return blockEnd;
    const { tokens } = this.#scanned;
    // The statement before may have ended because of the same error: what went furthest says best what was meant.
    const failure = { position: Math.max(furthest, end), expected, inBlock: this.#openBlocks > 0 };
    const problem = describeFailure(this.#source, tokens, failure);
    const location = this.#lines.locate(problem.start, problem.end);
    const fix = problem.superfluous ? { title: 'Remove it', location, text: '' } : undefined;
    if (!this.#isCausedByScanProblem(problem.start))
      this.#found.add(problem.code, location, problem.message, { hint: problem.hint, fix });
    return this.#goOn(nextStatement(this.#source, tokens, { from: end, failedAt: failure.position }), at);
  }

  /** Step over the end of a block whose beginning was skipped. @returns undefined where none ends. */
  #leaveBlock(at: number): number | undefined {
    if (this.#openBlocks === 0 || this.#source[at] !== '}') return undefined;
    return this.#goOn(behindBlock(this.#source, this.#scanned.tokens, at), at);
  }

  #goOn({ at, openBlocks }: Resume, before: number): number {
    this.#openBlocks += openBlocks;
    return Math.max(at, before + 1);
  }

  /** An unclosed text or comment swallows all that follows, so an error in the statement around it is no news. */
  #isCausedByScanProblem(offset: number): boolean {
    const { problem } = this.#scanned;
    if (!problem) return false;
    return problem.kind === 'open_bracket' ? offset >= this.#source.trimEnd().length : offset >= problem.start;
  }

  #noteScanProblem(): void {
    const { problem } = this.#scanned;
    if (!problem || (problem.kind === 'open_bracket' && this.#found.list.length > 0)) return;
    const place = this.#lines.locate(problem.start, problem.end);
    if (problem.kind === 'open_comment')
      this.#found.add('TL1003', place, 'this comment never ends', { hint: 'end it with `*/`' });
    else if (problem.kind === 'open_string')
      this.#found.add('TL1002', place, 'this text never ends', { hint: this.#openTextHint(problem.start) });
    else {
      const mark = this.#source[problem.start] ?? '';
      this.#found.add('TL1004', place, `\`${mark}\` is never closed`, {
        hint: `close it with \`${{ '(': ')', '[': ']' }[mark] ?? '}'}\``,
      });
    }
  }

  /** The culprit is often an earlier text that runs on over several lines up to the next quote. */
  #openTextHint(start: number): string {
    const earlier = this.#scanned.tokens.find(
      (token) =>
        token.kind === 'text' && token.end <= start && this.#source.slice(token.start, token.end).includes('\n'),
    );
    const quote = this.#source[start] === '}' ? '`' : (this.#source[start] ?? '"');
    if (!earlier) return `end it with ${quote}`;
    return `end it with ${quote}, or look at the text that begins in line ${this.#lines.position(earlier.start).line}`;
  }

  #noteColon(offset: number): void {
    const place = this.#lines.locate(offset, offset);
    this.#found.add('TL1001', place, 'expected `:` behind the name of the clause', { hint: 'put a colon here' });
  }

  #noteTwice(clause: string, location: Location): void {
    this.#found.add('TL1011', location, `the clause \`${clauseName(clause)}\` is given twice`, {
      hint: 'keep one of them',
    });
  }

  #noteDepth(location: Location): void {
    this.#found.add('TL1005', location, 'this is nested too deeply', { hint: UNNEST });
  }
}

/** The nodes that may have a doc comment. */
const DOCUMENTED = ['TypeDeclaration', 'FunctionDeclaration', 'ToolDeclaration', 'ParamDeclaration'];

/** Adds `doc` to each declaration that directly follows a doc comment. */
function attachDocs(statements: readonly Statement[], comments: readonly Comment[]): readonly Statement[] {
  const docs = docsByEndLine(comments);
  if (docs.size === 0) return statements;
  // Of several declarations on a line, it belongs to the first.
  const docBefore = (line: number) => {
    const doc = docs.get(line - 1);
    docs.delete(line - 1);
    return doc;
  };
  return statements.map((statement) => {
    if (!DOCUMENTED.includes(statement.type)) return statement;
    const doc = docBefore(statement.location.start.line);
    const documented = doc === undefined ? statement : { ...statement, doc };
    if (documented.type !== 'TypeDeclaration') return documented;
    const fields = documented.fields.map((field) => {
      const fieldDoc = docBefore(field.location.start.line);
      return fieldDoc === undefined ? field : { ...field, doc: fieldDoc };
    });
    return { ...documented, fields };
  });
}

/** The doc comments by the line that they end on; consecutive `///` lines are one text. */
function docsByEndLine(comments: readonly Comment[]): Map<number, string> {
  const docs = new Map<number, string>();
  for (const { text, location } of comments) {
    if (text.startsWith('///')) {
      const line = text.slice(3).trim();
      const before = docs.get(location.end.line - 1);
      docs.set(location.end.line, before === undefined ? line : `${before}\n${line}`);
    } else if (text.startsWith('/**') && text.length > 4) docs.set(location.end.line, blockText(text));
  }
  return docs;
}

function blockText(text: string): string {
  const lines = text.slice(3, -2).split('\n');
  return lines
    .map((line) => line.replace(/^[ \t]*\* ?/u, '').trim())
    .join('\n')
    .trim();
}
