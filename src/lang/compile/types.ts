import type { Annotation, TypeDeclaration, TypeExpression } from '../grammar/ast.ts';

type Schema = Record<string, unknown>;

/**
 * How plain JSON becomes values of a type; undefined where it already is one. `c`: a `Confident` of what is inside,
 * `a`: a list, `r`: a record with these fields, `n`: a named type, so that types may contain themselves.
 */
export type Shape =
  | { readonly c: Shape | null }
  | { readonly a: Shape }
  | { readonly r: Readonly<Record<string, Shape>> }
  | { readonly n: string };

/** The types of one file, those that it imports included. */
export class TypeTable {
  readonly #types = new Map<string, TypeDeclaration>();
  /** Types that contain a `Confident` somewhere; computed on demand. */
  readonly #confident = new Map<string, boolean>();

  add(declaration: TypeDeclaration, name: string = declaration.name.name): void {
    this.#types.set(name, declaration);
  }

  get(name: string): TypeDeclaration | undefined {
    return this.#types.get(name);
  }

  /** JSON Schema, with the named types that contain themselves under `$defs`. */
  schemaOf(type: TypeExpression): Schema {
    const refs = new Set<string>();
    const schema = this.#schema(type, [], refs);
    if (refs.size === 0) return schema;
    const defs: Schema = {};
    for (const name of refs) {
      const declaration = this.#types.get(name);
      if (declaration) defs[name] = this.#record(declaration, [name], refs);
    }
    return { ...schema, $defs: defs };
  }

  /** The parameters of a tool or a program as an object. */
  schemaOfParams(
    params: readonly { name: string; type: TypeExpression; optional?: boolean; notes?: Schema }[],
  ): Schema {
    const refs = new Set<string>();
    const properties = Object.fromEntries(
      params.map(({ name, type, notes }) => [name, { ...this.#schema(type, [], refs), ...notes }]),
    );
    const required = params.filter(({ type, optional }) => !optional && type.type !== 'OptionalType');
    const defs = Object.fromEntries(
      [...refs].flatMap((name) => {
        const declaration = this.#types.get(name);
        return declaration ? [[name, this.#record(declaration, [name], refs)]] : [];
      }),
    );
    return {
      type: 'object',
      properties,
      required: required.map(({ name }) => name),
      additionalProperties: false,
      ...(refs.size > 0 ? { $defs: defs } : {}),
    };
  }

  shapeOf(type: TypeExpression): Shape | undefined {
    switch (type.type) {
      case 'ConfidentType':
        return { c: this.shapeOf(type.inner) ?? null };
      case 'ArrayType': {
        const element = this.shapeOf(type.element);
        return element && { a: element };
      }
      case 'OptionalType':
        return this.shapeOf(type.inner);
      case 'UnionType':
        return type.types.map((each) => this.shapeOf(each)).find((each) => each !== undefined);
      case 'NamedType':
        return this.#holdsConfident(type.name) ? { n: type.name } : undefined;
      default:
        return undefined;
    }
  }

  /** The shapes of all named types that have one. */
  shapes(): Record<string, Shape> {
    const found = [...this.#types].flatMap(([name, { fields }]): [string, Shape][] => {
      const inner = fields.flatMap(({ name: field, typeExpression }): [string, Shape][] => {
        const shape = this.shapeOf(typeExpression);
        return shape ? [[field.name, shape]] : [];
      });
      return inner.length > 0 ? [[name, { r: Object.fromEntries(inner) }]] : [];
    });
    return Object.fromEntries(found);
  }

  #holdsConfident(name: string): boolean {
    const known = this.#confident.get(name);
    if (known !== undefined) return known;
    this.#confident.set(name, false);
    const fields = this.#types.get(name)?.fields ?? [];
    const found = fields.some(({ typeExpression }) => this.shapeOf(typeExpression) !== undefined);
    this.#confident.set(name, found);
    return found;
  }

  /** @param inside names of the enclosing types; one of these is referred to instead of repeated. */
  #schema(type: TypeExpression, inside: readonly string[], refs: Set<string>): Schema {
    switch (type.type) {
      case 'PrimitiveType':
        return { type: PRIMITIVES[type.name] };
      case 'ArrayType':
        return { type: 'array', items: this.#schema(type.element, inside, refs) };
      case 'OptionalType':
        return { anyOf: [this.#schema(type.inner, inside, refs), { type: 'null' }] };
      case 'UnionType':
        return { anyOf: type.types.map((each) => this.#schema(each, inside, refs)) };
      case 'ConfidentType':
        return confident(this.#schema(type.inner, inside, refs));
      case 'NamedType':
        return this.#named(type.name, inside, refs);
    }
  }

  #named(name: string, inside: readonly string[], refs: Set<string>): Schema {
    const declaration = this.#types.get(name);
    if (!declaration) return {};
    if (!inside.includes(name)) return this.#record(declaration, [...inside, name], refs);
    refs.add(name);
    return { $ref: `#/$defs/${name}` };
  }

  #record({ fields, doc }: TypeDeclaration, inside: readonly string[], refs: Set<string>): Schema {
    const properties = fields.map(({ name, typeExpression, annotations, doc: about }): [string, Schema] => {
      const schema = this.#schema(typeExpression, inside, refs);
      const notes = notesOf(annotations, about);
      // Keywords next to a `$ref` or a choice are only for people; limits go inside.
      return [name.name, { ...schema, ...notes }];
    });
    return {
      type: 'object',
      ...(doc === undefined ? {} : { description: doc }),
      properties: Object.fromEntries(properties),
      required: fields
        .filter(({ typeExpression }) => typeExpression.type !== 'OptionalType')
        .map(({ name }) => name.name),
      additionalProperties: false,
    };
  }
}

const PRIMITIVES = { string: 'string', int: 'integer', float: 'number', bool: 'boolean', null: 'null' } as const;

export function confident(value: Schema): Schema {
  return {
    type: 'object',
    properties: { value, confidence: { type: 'number', minimum: 0, maximum: 1 }, reasoning: { type: 'string' } },
    required: ['value', 'confidence', 'reasoning'],
    additionalProperties: false,
  };
}

const SAME = new Set(['description', 'minItems', 'maxItems', 'minLength', 'maxLength', 'pattern']);

/** The keywords that `@name(value)` notes and a doc comment mean. */
export function notesOf(annotations: readonly Annotation[], doc: string | undefined): Schema {
  const notes: Schema = doc === undefined ? {} : { description: doc };
  for (const { name, value } of annotations) {
    if (SAME.has(name.name)) notes[name.name] = value;
    const range = /^\s*(-?[\d.]+?)\s*\.\.\s*(-?[\d.]+)\s*$/u.exec(String(value));
    if (name.name === 'range' && range) Object.assign(notes, { minimum: Number(range[1]), maximum: Number(range[2]) });
  }
  return notes;
}
