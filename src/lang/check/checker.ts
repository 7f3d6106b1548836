import type { Expression, Name } from '../grammar/ast.ts';
import type { Location } from '../grammar/location.ts';
import type { CheckContext } from './context.ts';
import type { Scope } from './scope.ts';
import type { Type } from './types.ts';

/** What the checks of single forms need from the expression checker. */
export interface Checker {
  readonly context: CheckContext;
  typeOf(node: Expression, scope: Scope): Type;
  /** @returns what it is, as far as that is known. */
  expect(node: Expression, wanted: Type, scope: Scope): Type;
  requireAssignable(type: Type, wanted: Type, location: Location): void;
  certain(node: Expression, scope: Scope): Type;
  name(name: string, location: Location, scope: Scope): Type;
  field(type: Type, name: string): Type | undefined;
  reportNoField(type: Type, property: Name): void;
}

/** The checker, and the names in scope. */
export interface Here {
  readonly checker: Checker;
  readonly scope: Scope;
}
