import type {
  Annotation,
  Block,
  FunctionParam,
  ImportDeclaration,
  Program,
  Statement,
  TypeField,
} from '../grammar/ast.ts';
import type { Location } from '../grammar/location.ts';
import { Comments } from './comments.ts';
import { ExpressionPrinter, INDENT, lineEnd } from './expressions.ts';
import { numberText, quoted } from './literals.ts';
import { typeText } from './types.ts';

/**
 * A program as text, in one style: parsing the text gives the same program again, and printing that gives the same
 * text. Comments and single blank lines between statements are kept.
 *
 * @param source  the text that the program was read from: its quotes stay as they are. Left out, texts are quoted anew.
 */
export function printProgram(program: Program, source?: string): string {
  return new ProgramPrinter(program, source).program();
}

/** A node printed on lines of its own: a statement, an import, a field. */
interface Item<Node> {
  readonly nodes: readonly (Node & { readonly location: Location })[];
  readonly print: (node: Node) => string;
}

class ProgramPrinter {
  readonly #program: Program;
  readonly #source: string | undefined;
  readonly #comments: Comments;
  readonly #expressions: ExpressionPrinter;

  constructor(program: Program, source: string | undefined) {
    this.#program = program;
    this.#source = source;
    this.#comments = new Comments(program.comments);
    this.#expressions = new ExpressionPrinter(source, this.#comments);
  }

  program(): string {
    const { imports, statements } = this.#program;
    const nodes = [...imports, ...statements];
    const print = (node: ImportDeclaration | Statement) =>
      node.type === 'ImportDeclaration' ? this.#import(node) : this.#statement(node, '');
    const lines = this.#lines({ nodes, print }, { from: 0, to: Number.MAX_SAFE_INTEGER, indent: '' });
    return lines.length === 0 ? '' : `${lines.join('\n')}\n`;
  }

  /** Nodes one below the other, with their comments and at most one blank line between them. */
  #lines<Node>(
    { nodes, print }: Item<Node>,
    { from, to, indent }: { from: number; to: number; indent: string },
  ): string[] {
    const lines: string[] = [];
    let at = from;
    const add = (text: string, { start, end }: Location) => {
      if (lines.length > 0 && this.#blankLine(at, start.offset)) lines.push('');
      lines.push(`${indent}${text}`);
      at = Math.max(at, end.offset);
    };
    nodes.forEach((node, index) => {
      const { location } = node;
      for (const comment of this.#comments.between(at, location.start.offset)) add(comment.text, comment.location);
      const text = print(node);
      for (const comment of this.#comments.leftIn(location)) add(comment.text, location);
      const behind = this.#comments.behind(location, nodes[index + 1]?.location.start.offset ?? to);
      add(`${text}${behind}`, location);
      if (behind !== '') at = lineEnd(this.#source, location);
    });
    for (const comment of this.#comments.between(at, to)) add(comment.text, comment.location);
    return lines;
  }

  /** Whether the original has a blank line there. */
  #blankLine(from: number, to: number): boolean {
    return this.#source === undefined ? false : /\n[ \t\r]*\n/u.test(this.#source.slice(Math.max(from, 0), to));
  }

  #import({ names, path }: ImportDeclaration): string {
    const list = names.map(({ name }) => name).join(', ');
    return `import { ${list} } from ${this.#expressions.literal(path.value, path.location)}`;
  }

  #block({ statements, location }: Block, indent: string): string {
    const place = { from: location.start.offset, to: location.end.offset, indent: indent + INDENT };
    const print = (node: Statement) => this.#statement(node, place.indent);
    const lines = this.#lines({ nodes: statements, print }, place);
    return lines.length === 0 ? '{}' : `{\n${lines.join('\n')}\n${indent}}`;
  }

  #fields(fields: readonly TypeField[], { start, end }: Location): string {
    const print = ({ name, typeExpression, annotations }: TypeField) =>
      [...annotations.map(annotationText), `${name.name}: ${typeText(typeExpression)}`].join(`\n${INDENT}`);
    const lines = this.#lines({ nodes: fields, print }, { from: start.offset, to: end.offset, indent: INDENT });
    return lines.length === 0 ? '{}' : `{\n${lines.join('\n')}\n}`;
  }

  #statement(node: Statement, indent: string): string {
    const value = (prefix: string, expression: Parameters<ExpressionPrinter['text']>[0]) =>
      `${prefix}${this.#expressions.text(expression, indent, indent.length + prefix.length)}`;
    switch (node.type) {
      case 'LetDeclaration': {
        const type = node.typeExpression ? `: ${typeText(node.typeExpression)}` : '';
        return value(`let ${node.uncertain ? 'uncertain ' : ''}${node.name.name}${type} = `, node.value);
      }
      case 'AssignStatement':
        return value(`${node.name.name} = `, node.value);
      case 'PrintStatement':
        return value('print ', node.value);
      case 'ReturnStatement':
        return node.value ? value('return ', node.value) : 'return';
      case 'ExpressionStatement':
        return this.#expressionStatement(node, indent);
      case 'AssertStatement': {
        if (!node.criteria) return value('assert ', node.value);
        return `assert.semantic(${this.#expressions.item(node.value)}, ${this.#expressions.item(node.criteria)})`;
      }
      case 'BreakStatement':
        return 'break';
      case 'ContinueStatement':
        return 'continue';
      case 'ParamDeclaration': {
        const head = `param ${node.name.name}: ${typeText(node.typeExpression)}`;
        return node.default ? value(`${head} = `, node.default) : head;
      }
      default:
        return this.#compound(node, indent);
    }
  }

  /** A bare `break` or `continue` would be read as a jump. */
  #expressionStatement({ expression }: Statement & { type: 'ExpressionStatement' }, indent: string): string {
    const text = this.#expressions.text(expression, indent);
    return text === 'break' || text === 'continue' ? `(${text})` : text;
  }

  #compound(node: Compound, indent: string): string {
    const condition = (expression: Parameters<ExpressionPrinter['text']>[0]) =>
      this.#expressions.text(expression, indent, indent.length + 3);
    switch (node.type) {
      case 'TypeDeclaration':
        return `type ${node.name.name} ${this.#fields(node.fields, node.location)}`;
      case 'FunctionDeclaration': {
        const result = node.returnType ? `: ${typeText(node.returnType)}` : '';
        return `fn ${node.name.name}(${paramsText(node.params)})${result} ${this.#block(node.body, indent)}`;
      }
      case 'ToolDeclaration': {
        const notes = node.annotations.map((each) => ` ${annotationText(each)}`).join('');
        const head = `tool ${node.name.name}(${paramsText(node.params)}): ${typeText(node.returnType)}${notes}`;
        return `${head} ${this.#block(node.body, indent)}`;
      }
      case 'ForStatement':
        return `for ${node.name.name} in ${condition(node.items)} ${this.#block(node.body, indent)}`;
      case 'WhileStatement':
        return `while ${condition(node.condition)} ${this.#block(node.body, indent)}`;
      case 'IfElse':
        return this.#ifElse(node, indent);
      case 'TryCatch':
        return this.#tryCatch(node, indent);
      case 'TestBlock': {
        const { name, mode } = node;
        const kind = mode
          ? `mode: ${mode.kind.name}(${this.#expressions.literal(mode.path.value, mode.path.location)}) `
          : '';
        return `test ${kind}${this.#expressions.literal(name.value, name.location)} ${this.#block(node.body, indent)}`;
      }
    }
  }

  #ifElse({ condition, body, otherwise }: Compound & { type: 'IfElse' }, indent: string): string {
    const head = `if ${this.#expressions.text(condition, indent, indent.length + 3)} ${this.#block(body, indent)}`;
    if (!otherwise) return head;
    const rest = otherwise.type === 'IfElse' ? this.#ifElse(otherwise, indent) : this.#block(otherwise, indent);
    return `${head} else ${rest}`;
  }

  #tryCatch({ body, catches }: Compound & { type: 'TryCatch' }, indent: string): string {
    const clauses = catches.map(({ errorType, variable, body: inner }) => {
      const name = errorType ? `${errorType.name} ` : '';
      return ` catch ${name}(${variable.name}) ${this.#block(inner, indent)}`;
    });
    return `try ${this.#block(body, indent)}${clauses.join('')}`;
  }
}

type Compound = Extract<
  Statement,
  {
    type:
      | 'TypeDeclaration'
      | 'FunctionDeclaration'
      | 'ToolDeclaration'
      | 'ForStatement'
      | 'WhileStatement'
      | 'IfElse'
      | 'TryCatch'
      | 'TestBlock';
  }
>;

function annotationText({ name, value }: Annotation): string {
  return `@${name.name}(${typeof value === 'string' ? quoted(value) : numberText(value)})`;
}

function paramsText(params: readonly FunctionParam[]): string {
  return params
    .map(({ name, typeExpression, annotations }) =>
      [...annotations.map(annotationText), `${name.name}: ${typeText(typeExpression)}`].join(' '),
    )
    .join(', ');
}
