import type {
  Block,
  Expression,
  IfElse,
  LetDeclaration,
  Node,
  ReturnStatement,
  Statement,
  TryCatch,
} from '../grammar/ast.ts';
import { ai, emit, isAi, local, type Scope } from './expressions.ts';
import type { Mapping } from './source-map.ts';

/** Writes statements, one line each, and records where each line comes from. */
export class StatementWriter {
  readonly lines: string[] = [];
  readonly mappings: (Mapping | undefined)[] = [];
  readonly #scope: Scope;
  readonly #file: string;
  /** A function that runs wherever the program ends by `return`. */
  atEnd: string | undefined;
  #caught = 0;

  constructor(scope: Scope, file: string) {
    this.#scope = scope;
    this.#file = file;
  }

  line(code: string, from?: Node): void {
    this.lines.push(code);
    const start = from?.location.start;
    this.mappings.push(start && { file: this.#file, line: start.line, column: start.column });
  }

  block({ statements }: Block): void {
    this.all(statements);
  }

  all(statements: readonly Statement[]): void {
    for (const statement of statements) this.statement(statement);
  }

  statement(node: Statement): unknown {
    const code = (inner: Expression) => emit(inner, this.#scope);
    const at = `$.at = ${this.#scope.at(node)};`;
    switch (node.type) {
      case 'LetDeclaration':
        return this.line(`${at} let ${local(node.name.name)} = ${this.letValue(node)};`, node);
      case 'AssignStatement':
        return this.line(`${at} ${local(node.name.name)} = ${code(node.value)};`, node);
      case 'PrintStatement':
        return this.line(`${at} await $.print(${code(node.value)});`, node);
      case 'ReturnStatement':
        return this.#return(node, at);
      case 'ExpressionStatement':
        return this.line(`${at} ${code(node.expression)};`, node);
      case 'BreakStatement':
        return this.line('break;', node);
      case 'ContinueStatement':
        return this.line('continue;', node);
      case 'ForStatement':
        this.line(
          `${at} for (const ${local(node.name.name)} of $.items(${code(node.items)}, ${this.#scope.at(node.items)})) {`,
          node,
        );
        return this.#close(node.body);
      case 'WhileStatement':
        this.line(`${at} while (${code(node.condition)}) {`, node);
        return this.#close(node.body);
      case 'IfElse':
        return this.#if(node, at);
      case 'TryCatch':
        return this.#try(node);
      case 'AssertStatement':
        return this.line(`${at} ${this.#assertion(node.value, node.criteria, this.#scope.at(node))};`, node);
      case 'FunctionDeclaration':
      case 'ToolDeclaration':
      case 'TypeDeclaration':
      case 'ParamDeclaration':
      case 'TestBlock':
        return;
    }
  }

  #return(node: ReturnStatement, at: string): void {
    const { atEnd } = this;
    const result = node.value ? emit(node.value, this.#scope) : 'null';
    this.line(atEnd === undefined ? `${at} return ${result};` : `${at} ${result}; return await ${atEnd}();`, node);
  }

  letValue({ uncertain, value }: LetDeclaration): string {
    return uncertain && isAi(value) ? ai(value, this.#scope, { uncertain }) : emit(value, this.#scope);
  }

  #close(body: Block): void {
    this.block(body);
    this.line('}');
  }

  #if(node: IfElse, before: string): unknown {
    this.line(`${before} if (${emit(node.condition, this.#scope)}) {`, node);
    this.block(node.body);
    if (!node.otherwise) return this.line('}');
    if (node.otherwise.type === 'Block') {
      this.line('} else {');
      return this.#close(node.otherwise);
    }
    this.line('} else {');
    this.#if(node.otherwise, '');
    return this.line('}');
  }

  #try({ body, catches }: TryCatch): void {
    this.#caught += 1;
    const error = `$e${this.#caught}`;
    this.line('try {');
    this.block(body);
    this.line(`} catch (${error}) {`);
    for (const [index, { errorType, variable, body: handler }] of catches.entries()) {
      const test = `$.catches(${error}, ${errorType ? JSON.stringify(errorType.name) : 'null'})`;
      this.line(
        `${index === 0 ? '' : '} else '}if (${test}) { let ${local(variable.name)} = $.caught(${error});`,
        variable,
      );
      this.block(handler);
    }
    this.line(`} else throw ${error}; }`);
  }

  #assertion(value: Expression, criteria: Expression | undefined, at: number): string {
    if (criteria) return `await $.semantic(${emit(value, this.#scope)}, ${emit(criteria, this.#scope)}, ${at})`;
    if (value.type === 'BinaryExpression' && value.operator !== '&&' && value.operator !== '||') {
      const [left, right] = [emit(value.left, this.#scope), emit(value.right, this.#scope)];
      return `$.compare(${JSON.stringify(value.operator)}, ${left}, ${right}, ${at})`;
    }
    return `$.assert(${emit(value, this.#scope)}, ${at})`;
  }
}
