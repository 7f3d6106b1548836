/** What to write instead of names from other languages. */
export const HINTS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ const: 'write `let`', var: 'write `let`', function: 'write `fn`', def: 'write `fn`', elif: 'write `else if`' },
    ...{ None: 'write `null`', undefined: 'write `null`', True: 'write `true`', False: 'write `false`' },
    ...{ console: 'write `print`', with: 'a clause is written `with context:` or `with tools:`' },
    ...{ process: 'programs reach the machine by tools only', globalThis: 'programs reach the machine by tools only' },
  }),
);

/** What other languages call the types of this one. */
export const COMMON: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ number: 'float', boolean: 'bool', str: 'string', String: 'string', integer: 'int', double: 'float' },
    ...{ Number: 'float', Boolean: 'bool', text: 'string', void: 'null', undefined: 'null' },
  }),
);
