import type { Comment, Statement } from './ast.ts';

/** The nodes that may have a doc comment. */
const DOCUMENTED = ['TypeDeclaration', 'FunctionDeclaration', 'ToolDeclaration', 'ParamDeclaration'];

/** Adds `doc` to each declaration that directly follows a doc comment. */
export function attachDocs(statements: readonly Statement[], comments: readonly Comment[]): readonly Statement[] {
  const docs = docsByEndLine(comments);
  if (docs.size === 0) return statements;
  const docBefore = (line: number) => docs.get(line - 1);
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
function docsByEndLine(comments: readonly Comment[]): ReadonlyMap<number, string> {
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
