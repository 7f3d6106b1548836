import { nearest } from '../../base/text.ts';
import type { DiagnosticCode } from '../diagnostics/codes.ts';
import type { DiagnosticExtras, Diagnostics } from '../diagnostics/diagnostic.ts';
import type { Name, TypeExpression } from '../grammar/ast.ts';
import type { Location } from '../grammar/location.ts';
import { COMMON } from './foreign-words.ts';
import { ANY, arrayOf, NULL, type RecordType, type Type, unionOf } from './types.ts';

/** A use of a name, and its declaration: of a field perhaps in another file, of any other name in the same one. */
export interface Use {
  readonly location: Location;
  readonly declared: Name;
  readonly type: Type;
}

/** What all checks of one file share. */
export class CheckContext {
  readonly found: Diagnostics;
  /** The assistant's tools, under the names that programs use for them. */
  readonly tools: ReadonlySet<string>;
  readonly types = new Map<string, RecordType>();
  /** Where names are used: for editors. */
  readonly uses: Use[] = [];
  /** Where fields of declared types are used. What is not known of a record may have such a field as well. */
  readonly fieldUses: Use[] = [];
  /** Where the types of this file are declared or imported. */
  readonly typeNames = new Map<string, Name>();

  constructor(found: Diagnostics, tools: ReadonlySet<string>) {
    this.found = found;
    this.tools = tools;
  }

  report(code: DiagnosticCode, location: Location, message: string, extras?: DiagnosticExtras): void {
    this.found.add(code, location, message, extras);
  }

  /** Note the use of a field. */
  useField({ name, location }: Name, record: Type): void {
    const declared = record.kind === 'record' ? record.declared?.get(name) : undefined;
    const type = record.kind === 'record' ? record.fields().get(name) : undefined;
    if (declared && type) this.fieldUses.push({ location, declared, type });
  }

  /** Report an unknown name. @returns the one that was probably meant. */
  reportUnknown(
    code: DiagnosticCode,
    { name, location }: { name: string; location: Location },
    { what, known, otherwise }: { what: string; known: Iterable<string>; otherwise?: string | undefined },
  ): string | undefined {
    const guess = nearest(name, known);
    const hint = guess === undefined ? otherwise : `did you mean \`${guess}\`?`;
    const fix = guess === undefined ? undefined : { title: `Write \`${guess}\``, location, text: guess };
    this.report(code, location, `${what} \`${name}\``, { hint, fix });
    return guess;
  }

  /** Resolve a written type; an unknown name is reported and treated as `any`. */
  resolve(type: TypeExpression): Type {
    switch (type.type) {
      case 'PrimitiveType':
        return { kind: type.name };
      case 'ArrayType':
        return arrayOf(this.resolve(type.element));
      case 'OptionalType':
        return unionOf([this.resolve(type.inner), NULL]);
      case 'UnionType':
        return unionOf(type.types.map((each) => this.resolve(each)));
      case 'ConfidentType':
        return { kind: 'confident', inner: this.resolve(type.inner) };
      case 'NamedType':
        return this.#namedType(type);
    }
  }

  #namedType(type: TypeExpression & { type: 'NamedType' }): Type {
    const found = this.types.get(type.name);
    const declared = this.typeNames.get(type.name);
    if (found && declared) this.uses.push({ location: type.location, declared, type: found });
    return found ?? this.#unknownType(type);
  }

  #unknownType(type: TypeExpression & { type: 'NamedType' }): Type {
    const common = COMMON.get(type.name);
    const known = [...this.types.keys(), 'string', 'int', 'float', 'bool'];
    const what = 'there is no type';
    if (common === undefined) {
      this.reportUnknown('TL2002', type, { what, known, otherwise: `declare it: \`type ${type.name} { ... }\`` });
    } else {
      const fix = { title: `Write \`${common}\``, location: type.location, text: common };
      this.report('TL2002', type.location, `${what} \`${type.name}\``, { hint: `write \`${common}\``, fix });
    }
    return ANY;
  }
}
