/** The types of a program, and what all nodes share. @see ast.ts */
import type { Location } from './location.ts';

export interface Node {
  readonly location: Location;
}

/** A name at the place where it is written, so that an editor can find and rename it. */
export interface Name extends Node {
  readonly type: 'Name';
  readonly name: string;
}

export type TypeExpression = PrimitiveType | NamedType | ArrayType | OptionalType | UnionType | ConfidentType;

export interface PrimitiveType extends Node {
  readonly type: 'PrimitiveType';
  readonly name: 'string' | 'int' | 'float' | 'bool' | 'null';
}

export interface NamedType extends Node {
  readonly type: 'NamedType';
  readonly name: string;
}

/** `T[]`; may be nested: `T[][]`, `T?[]`. */
export interface ArrayType extends Node {
  readonly type: 'ArrayType';
  readonly element: TypeExpression;
}

/** `T?` */
export interface OptionalType extends Node {
  readonly type: 'OptionalType';
  readonly inner: TypeExpression;
}

/** `A | B`; at least two. */
export interface UnionType extends Node {
  readonly type: 'UnionType';
  readonly types: readonly TypeExpression[];
}

/** `Confident<T>` */
export interface ConfidentType extends Node {
  readonly type: 'ConfidentType';
  readonly inner: TypeExpression;
}
