import type { RecordType, Type } from '../check/types.ts';
import { confident } from './types.ts';

type Schema = Record<string, unknown>;

/**
 * JSON Schema of what a program returns, by what the check found out about it; types that contain themselves are under
 * `$defs`.
 *
 * @returns undefined where nothing is known of it.
 */
export function schemaOfResult(type: Type): Schema | undefined {
  if (type.kind === 'any' || type.kind === 'function') return undefined;
  const defs: Schema = {};
  const schema = schemaOf(type, { inside: [], defs });
  return Object.keys(defs).length === 0 ? schema : { ...schema, $defs: defs };
}

interface Around {
  /** The records that enclose this one: one of them is referred to by its name. */
  readonly inside: readonly RecordType[];
  readonly defs: Schema;
}

const SIMPLE = { string: 'string', int: 'integer', float: 'number', bool: 'boolean', null: 'null' } as const;

function schemaOf(type: Type, around: Around): Schema {
  switch (type.kind) {
    case 'record':
      return recordSchema(type, around);
    case 'array':
      return { type: 'array', items: schemaOf(type.element, around) };
    case 'union':
      return { anyOf: type.members.map((each) => schemaOf(each, around)) };
    case 'confident':
      return confident(schemaOf(type.inner, around));
    case 'any':
    case 'function':
      return {};
    default:
      return { type: SIMPLE[type.kind] };
  }
}

function recordSchema(type: RecordType, { inside, defs }: Around): Schema {
  const { name } = type;
  if (name !== undefined && inside.includes(type)) {
    if (!Object.hasOwn(defs, name)) {
      defs[name] = {};
      defs[name] = recordSchema(type, { inside: [], defs });
    }
    return { $ref: `#/$defs/${name}` };
  }
  const fields = [...type.fields()];
  const next = { inside: [...inside, type], defs };
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map(([field, each]) => [field, schemaOf(each, next)])),
    required: fields.filter(([, each]) => !isOptional(each)).map(([field]) => field),
    additionalProperties: false,
  };
}

function isOptional(type: Type): boolean {
  return type.kind === 'union' && type.members.some(({ kind }) => kind === 'null');
}
