import { ANY, arrayOf, BOOL, FLOAT, type FunctionType, INT, STRING, type Type } from './types.ts';

const method = (result: Type): FunctionType => ({ kind: 'function', tool: false, params: undefined, result });

const TEXT: Readonly<Record<string, Type>> = {
  length: INT,
  ...{ toUpperCase: method(STRING), toLowerCase: method(STRING), trim: method(STRING), slice: method(STRING) },
  ...{ replace: method(STRING), replaceAll: method(STRING), repeat: method(STRING), toString: method(STRING) },
  ...{ includes: method(BOOL), startsWith: method(BOOL), endsWith: method(BOOL), indexOf: method(INT) },
  split: method(arrayOf(STRING)),
};
const NUMBER: Readonly<Record<string, Type>> = { toFixed: method(STRING), toString: method(STRING) };

/** The built-in member of a value, besides the fields of its type; undefined for an unknown name. */
export function builtinMember(type: Type, name: string): Type | undefined {
  return Object.entries(builtinMembers(type)).find(([each]) => each === name)?.[1];
}

/** All built-in members, for completion and for "did you mean". */
export function builtinMembers(type: Type): Readonly<Record<string, Type>> {
  switch (type.kind) {
    case 'string':
      return TEXT;
    case 'int':
    case 'float':
      return NUMBER;
    case 'array':
      return {
        length: INT,
        ...{ join: method(STRING), includes: method(BOOL), indexOf: method(INT) },
        ...{ slice: method(type), concat: method(type) },
      };
    case 'confident':
      return {
        ...{ value: type.inner, confidence: FLOAT, reasoning: STRING },
        ...{ unwrap: method(type.inner), expect: method(type.inner), or: method(ANY), map: method(ANY) },
        ...{ isConfident: method(BOOL), toString: method(STRING), toJSON: method(ANY) },
      };
    default:
      return {};
  }
}
