import { isRecord } from '../base/json.ts';
import type { CompleteOptions, CompleteResult, ModelProvider } from '../models/providers/completing.ts';

/**
 * A model that answers from the request's schema, always the same: texts `stub-FIELD`, whole numbers 7, others 0.9, yes,
 * lists of two, the first of several types. An agent calls the first tool once, and then gives its answer.
 */
export class StandIn implements ModelProvider {
  readonly requests: CompleteOptions[] = [];
  /** Replies in place of the usual ones, one for each request. */
  readonly next: unknown[] = [];

  async complete(options: CompleteOptions): Promise<CompleteResult> {
    this.requests.push(options);
    const about = { usage: { inputTokens: 10, outputTokens: 5 }, model: 'stand-in' };
    const planned = this.next.shift();
    if (planned instanceof Error) throw planned;
    if (planned !== undefined) return { ...about, data: planned };
    const { tools = [], jsonSchema, messages = [] } = options;
    const [first] = tools;
    if (!first) return { ...about, data: jsonSchema ? made(jsonSchema, 'v', jsonSchema) : 'stub-v' };
    const hasActed = messages.at(-1)?.role === 'tool_result';
    const answer = tools.find(({ name }) => name === 'answer');
    const wanted = hasActed ? answer : first;
    if (!wanted) return { ...about, data: 'stub-v' };
    const input = made(wanted.inputSchema, 'v', wanted.inputSchema) as Record<string, unknown>;
    const call = { id: `call_${this.requests.length}`, name: wanted.name, input };
    return { ...about, data: '', toolCalls: [call], stopReason: 'tool_use' };
  }

  /** Everything that was sent, as one text. */
  get sent(): string {
    return JSON.stringify(this.requests);
  }
}

function made(schema: unknown, field: string, root: unknown, depth = 0): unknown {
  if (!isRecord(schema)) return null;
  if (typeof schema.$ref === 'string')
    return depth > 4 ? null : made(target(root, schema.$ref), field, root, depth + 1);
  const choices = schema.anyOf;
  if (Array.isArray(choices)) return made(choices[depth > 4 ? choices.length - 1 : 0], field, root, depth + 1);
  switch (schema.type) {
    case 'string':
      return `stub-${field}`;
    case 'integer':
      return Math.min(7, Number(schema.maximum ?? 7));
    case 'number':
      return field === 'confidence' ? 0.95 : 0.9;
    case 'boolean':
      return true;
    case 'array':
      return depth > 3 ? [] : [0, 1].map(() => made(schema.items, field, root, depth + 1));
    case 'object':
      return Object.fromEntries(
        Object.entries(isRecord(schema.properties) ? schema.properties : {}).map(([name, inner]) => [
          name,
          made(inner, name, root, depth + 1),
        ]),
      );
    default:
      return null;
  }
}

function target(root: unknown, ref: string): unknown {
  return ref
    .split('/')
    .slice(1)
    .reduce<unknown>((found, key) => (isRecord(found) ? found[key] : undefined), root);
}
