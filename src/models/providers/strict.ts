import { isRecord } from '../../base/json.ts';

/** What OpenAI's strict mode cannot express. */
const LOOSE = ['pattern', 'format', 'minLength', 'maxLength', 'minItems', 'maxItems', 'minimum', 'maximum', 'oneOf'];

/** Whether OpenAI can hold a model to the schema: objects are closed and every field of theirs is required. */
export function isStrict(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.every(isStrict);
  if (!isRecord(schema)) return true;
  if (LOOSE.some((key) => key in schema)) return false;
  const { properties, required, additionalProperties, ...rest } = schema;
  if (schema.type === 'object') {
    const names = Object.keys(isRecord(properties) ? properties : {});
    const all = names.every((name) => Array.isArray(required) && required.includes(name));
    if (additionalProperties !== false || !all) return false;
  }
  return [...Object.values(isRecord(properties) ? properties : {}), ...Object.values(rest)].every(isStrict);
}
