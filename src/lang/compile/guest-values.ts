/** Values, operators and errors of running programs, as text for the sandbox. See `guest.ts`. */
export const GUEST_VALUES = String.raw`
class $Error extends Error {
  constructor(about, at) {
    super(about.message);
    this.about = about;
    this.at = at;
  }
}
class Confident {
  constructor(value, confidence, reasoning) {
    this.value = value;
    this.confidence = confidence;
    this.reasoning = reasoning;
  }
  isConfident(least = 0.7) {
    return this.confidence >= least;
  }
  expect(least = 0.7) {
    if (this.confidence >= least) return this.value;
    const message = 'The confidence is ' + this.confidence + ', and ' + least + ' is wanted.';
    throw new $Error({ name: 'ConfidenceTooLow', message, threshold: least, actual: this.confidence }, $.at);
  }
  unwrap(least = 0) {
    return this.expect(least);
  }
  or(other) {
    return this.isConfident() ? this.value : other;
  }
  toJSON() {
    return { value: this.value, confidence: this.confidence, reasoning: this.reasoning };
  }
  toString() {
    return $.show(this.value) + ' (confidence ' + this.confidence + ')';
  }
  async map(change) {
    return new Confident(await change(this.value), this.confidence, this.reasoning);
  }
}
const METHODS = {
  confident: ['isConfident', 'unwrap', 'expect', 'or', 'map', 'toString', 'toJSON'],
  text: [
    'toUpperCase',
    'toLowerCase',
    'trim',
    'slice',
    'replace',
    'replaceAll',
    'repeat',
    'toString',
    'includes',
    'startsWith',
    'endsWith',
    'indexOf',
    'split',
  ],
  number: ['toFixed', 'toString'],
  list: ['join', 'includes', 'indexOf', 'slice', 'concat'],
  none: [],
};
const $ = {
  at: 0,
  args: $setup.args,
  async host(op, payload, at) {
    const reply = await host(op, payload ?? null);
    if (reply.error) throw new $Error(reply.error, at ?? $.at);
    return reply.ok ?? null;
  },
  fail(name, message, at) {
    throw new $Error({ name, message }, at);
  },
  show(value) {
    if (typeof value === 'function') return '[' + (value.about?.kind ?? 'fn') + ' ' + (value.about?.name ?? '') + ']';
    return (value !== null && typeof value === 'object') || value === null || value === undefined
      ? JSON.stringify(value ?? null, null, 2)
      : String(value);
  },
  async print(value) {
    const text = $.show(value);
    $.printed?.push(text);
    await $.host('print', text);
  },
  text(parts) {
    return parts.map((part) => (typeof part === 'string' ? part : $.show(part))).join('');
  },
  record(entries) {
    const made = Object.create(null);
    for (const [key, value] of entries) made[key] = value;
    return { ...made };
  },
  kind(value) {
    if (value === null || value === undefined) return 'null';
    return Array.isArray(value) ? 'a list' : typeof value === 'object' ? 'a record' : 'a ' + typeof value;
  },
  number(value, at) {
    return typeof value === 'number'
      ? value
      : $.fail('TypeMismatch', 'a number is wanted here, not ' + $.kind(value), at);
  },
  minus(value, at) {
    return -$.number(value, at);
  },
  same(a, b) {
    if (a === b || ((a ?? null) === null && (b ?? null) === null)) return true;
    if (
      typeof a !== 'object' ||
      typeof b !== 'object' ||
      a === null ||
      b === null ||
      Array.isArray(a) !== Array.isArray(b)
    )
      return false;
    const keys = Object.keys(a);
    return (
      keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && $.same(a[key], b[key]))
    );
  },
  binary(operator, a, b, at) {
    if (operator === '==') return $.same(a, b);
    if (operator === '!=') return !$.same(a, b);
    if (operator === '+' && (typeof a === 'string' || typeof b === 'string')) return $.text([a, b]);
    if (operator === '+' && Array.isArray(a) && Array.isArray(b)) return [...a, ...b];
    if (['<', '>', '<=', '>='].includes(operator) && typeof a === 'string' && typeof b === 'string')
      return $.order(operator, a, b);
    const [x, y] = [$.number(a, at), $.number(b, at)];
    switch (operator) {
      case '+':
        return x + y;
      case '-':
        return x - y;
      case '*':
        return x * y;
      case '/':
      case '%':
        if (y === 0) $.fail('DivisionByZero', 'nothing can be divided by zero', at);
        return operator === '/' ? x / y : x % y;
      default:
        return $.order(operator, x, y);
    }
  },
  order(operator, x, y) {
    return operator === '<' ? x < y : operator === '>' ? x > y : operator === '<=' ? x <= y : x >= y;
  },
  field(object, name, at) {
    if (object instanceof Confident) {
      if (['value', 'confidence', 'reasoning'].includes(name)) return object[name];
      $.fail('TypeMismatch', 'this value is uncertain: unwrap it before .' + name, at);
    }
    if (name === 'length' && (typeof object === 'string' || Array.isArray(object))) return object.length;
    if (object === null || typeof object !== 'object' || Array.isArray(object))
      $.fail('TypeMismatch', $.kind(object) + ' has no field ' + name, at);
    return Object.hasOwn(object, name) ? (object[name] ?? null) : null;
  },
  item(object, index, at) {
    if (typeof index === 'string') return $.field(object, index, at);
    if (!Array.isArray(object) && typeof object !== 'string')
      $.fail('TypeMismatch', $.kind(object) + ' has no items', at);
    if (!Number.isInteger(index) || index < 0 || index >= object.length)
      $.fail('IndexOutOfRange', 'there is no item ' + index + ' among ' + object.length, at);
    return object[index];
  },
  items(value, at) {
    if (Array.isArray(value)) return value;
    if (value !== null && typeof value === 'object' && Number.isInteger(value.start) && Number.isInteger(value.end))
      return $.counted(value.start, value.end);
    return $.fail('TypeMismatch', 'a list or a range of whole numbers is wanted here, not ' + $.kind(value), at);
  },
  *counted(from, to) {
    for (let number = from; number <= to; number++) yield number;
  },
  describe(fn, about) {
    fn.about = about;
  },
  tool(name) {
    const run = async (...args) => $.host('tool', { name, args });
    run.about = { kind: 'given', name };
    return run;
  },
  async call(fn, args, at) {
    if (typeof fn !== 'function') $.fail('TypeMismatch', $.kind(fn) + ' cannot be called', at);
    $.at = at;
    return (await fn(...args)) ?? null;
  },
  async method(object, name, args, at) {
    const kind =
      object instanceof Confident
        ? 'confident'
        : typeof object === 'string'
          ? 'text'
          : typeof object === 'number'
            ? 'number'
            : Array.isArray(object)
              ? 'list'
              : 'none';
    if (!METHODS[kind].includes(name)) $.fail('TypeMismatch', $.kind(object) + ' has no function ' + name, at);
    $.at = at;
    return await object[name](...args);
  },
  async callTool(fn, input) {
    const before = $.printed;
    $.printed = [];
    try {
      const value = await fn(...(fn.about.positional ?? []).map((name) => input[name] ?? null));
      return value ?? ($.printed.length > 0 ? $.printed.join('\n') : null);
    } finally {
      $.printed = before;
    }
  },
  async match(subject, arms, at) {
    for (const [pattern, body] of arms) if (await $.fits(pattern, subject)) return body();
    return $.fail('NoMatch', 'no pattern fits ' + $.show(subject), at);
  },
  async fits(pattern, subject) {
    if (pattern === null) return true;
    if ('is' in pattern) return $.same(pattern.is, subject);
    if (subject === null || typeof subject !== 'object') return false;
    for (const [name, operator, value] of pattern.fields) {
      const found = subject[name] ?? null;
      const wanted = await value();
      if (operator !== '==' && operator !== '!=' && typeof found !== typeof wanted) return false;
      if (!$.binary(operator, found, wanted, $.at)) return false;
    }
    return true;
  },
  async pipe(value, stages) {
    for (const stage of stages) value = await stage(value);
    return value;
  },
  async stage(value, previous, at) {
    return typeof value === 'function' ? $.call(value, [previous], at) : value;
  },
  catches(error, name) {
    const about = $.caught(error);
    if (about === undefined) return false;
    return name === null || about.name === name || (name === 'ThinkError' && about.ai === true);
  },
  caught(error) {
    if (error instanceof $Error) return error.about;
    if (error instanceof RangeError) return { name: 'TooDeep', message: 'the calls are nested too deeply' };
    return { name: error?.name ?? 'Error', message: String(error?.message ?? error) };
  },
  async echo(value) {
    if (value !== null && value !== undefined) await $.print(value);
  },
  keep(values) {
    const frozen = {};
    for (const [name, value] of Object.entries(values)) {
      const one = $.freeze(value);
      if (one !== undefined) frozen[name] = one;
    }
    return frozen;
  },
  freeze(value) {
    if (typeof value === 'function') return undefined;
    if (value === null || typeof value !== 'object') return value ?? null;
    const [tag, parts] = Array.isArray(value)
      ? ['list', value]
      : value instanceof Confident
        ? ['confident', [value.value, value.confidence, value.reasoning]]
        : ['record', Object.entries(value).flat()];
    const inner = parts.map($.freeze);
    return inner.includes(undefined) ? undefined : [tag, ...inner];
  },
  thaw(frozen) {
    if (!Array.isArray(frozen)) return frozen;
    const [tag, ...inner] = frozen;
    const parts = inner.map($.thaw);
    if (tag === 'list') return parts;
    if (tag === 'confident') return new Confident(...parts);
    return $.record(parts.flatMap((key, at) => (at % 2 === 0 ? [[key, parts[at + 1]]] : [])));
  },
  revive(value, shape) {
    if (shape === null || value === null || typeof value !== 'object') return value;
    if ('n' in shape) return $.revive(value, $setup.shapes[shape.n] ?? null);
    if ('a' in shape) return Array.isArray(value) ? value.map((item) => $.revive(item, shape.a)) : value;
    if ('c' in shape)
      return 'confidence' in value
        ? new Confident($.revive(value.value, shape.c), value.confidence, value.reasoning)
        : value;
    const made = { ...value };
    for (const [name, inner] of Object.entries(shape.r)) if (name in made) made[name] = $.revive(made[name], inner);
    return made;
  },
};
`;
