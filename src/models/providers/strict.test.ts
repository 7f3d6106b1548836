import { expect, test } from 'vitest';
import { isStrict } from './strict.ts';

const text = { type: 'string' };
const closed = (properties: Record<string, unknown>, more: Record<string, unknown> = {}) => ({
  ...{ type: 'object', properties, required: Object.keys(properties), additionalProperties: false },
  ...more,
});

test.each([
  text,
  closed({}),
  closed({ city: text, pattern: text }),
  closed({ tags: { type: 'array', items: text }, kind: { enum: ['oneOf', 'format'] } }),
  closed({ place: { anyOf: [closed({ city: text }), { type: 'null' }] } }),
  { type: 'object', additionalProperties: false },
  closed({ place: { $ref: '#/$defs/place' } }, { $defs: { place: closed({ city: text }) } }),
])('%j can be held to', (schema) => expect(isStrict(schema)).toBe(true));

test.each([
  closed({ city: text }, { additionalProperties: true }),
  { type: 'object', properties: {}, required: [] },
  closed({ city: text, zip: text }, { required: ['city'] }),
  closed({ city: text }, { required: undefined }),
  closed({ city: { ...text, pattern: '^G' } }),
  closed({ at: { ...text, format: 'date' } }),
  closed({ count: { type: 'integer', minimum: 1 } }),
  closed({ tags: { type: 'array', items: { ...text, maxLength: 3 } } }),
  closed({ place: { anyOf: [{ type: 'null' }, closed({ city: text }, { additionalProperties: {} })] } }),
  closed({ place: { oneOf: [text] } }),
  closed({}, { $defs: { place: { type: 'object', properties: {} } } }),
])('%j cannot', (schema) => expect(isStrict(schema)).toBe(false));
