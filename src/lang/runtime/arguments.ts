import { isRecord, parseJson } from '../../base/json.ts';
import { SchemaViolation, ThinkError } from './errors.ts';
import { checkAnswer } from './schema.ts';

/**
 * A program's arguments from texts, as a command line gives them: numbers, yes and no, and JSON are read where the
 * parameter has such a type.
 *
 * @param params JSON Schema of the parameters. @throws ThinkError that names the parameter.
 */
export async function programArguments(
  params: Readonly<Record<string, unknown>>,
  given: Readonly<Record<string, unknown>>,
): Promise<Record<string, unknown>> {
  const properties = isRecord(params.properties) ? params.properties : {};
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(properties, name));
  if (unknown !== undefined) {
    const known = Object.keys(properties).join(', ') || 'none';
    throw new ThinkError(`The program has no parameter ${unknown}; it has: ${known}.`);
  }
  const values = Object.fromEntries(
    Object.entries(given).map(([name, value]) => [
      name,
      typeof value === 'string' ? read(value, properties[name]) : value,
    ]),
  );
  const required = Array.isArray(params.required) ? params.required.map(String) : [];
  const missing = required.find((name) => !Object.hasOwn(values, name));
  if (missing !== undefined) throw new ThinkError(`The parameter ${missing} is missing.`);
  try {
    return (await checkAnswer(values, params)) as Record<string, unknown>;
  } catch (error) {
    if (!(error instanceof SchemaViolation)) throw error;
    const { path, expected, got } = error;
    throw new ThinkError(
      `The parameter ${path} does not fit: ${expected.replace(/\.$/u, '')}; given: ${JSON.stringify(got)}.`,
    );
  }
}

function read(text: string, schema: unknown): unknown {
  if (!isRecord(schema) || schema.type === 'string') return text;
  const isChoice = Array.isArray(schema.anyOf) && schema.anyOf.some((each) => isRecord(each) && each.type === 'string');
  return parseJson(text) ?? (isChoice || text !== 'null' ? text : null);
}
