import type { TypeExpression } from '../grammar/ast.ts';

/** A type as it is written. */
export function typeText(type: TypeExpression): string {
  switch (type.type) {
    case 'PrimitiveType':
    case 'NamedType':
      return type.name;
    case 'ArrayType':
      return `${inner(type.element)}[]`;
    case 'OptionalType':
      return `${inner(type.inner)}?`;
    case 'UnionType':
      return type.types.map(inner).join(' | ');
    case 'ConfidentType':
      return `Confident<${typeText(type.inner)}>`;
  }
}

function inner(type: TypeExpression): string {
  return type.type === 'UnionType' ? `(${typeText(type)})` : typeText(type);
}
