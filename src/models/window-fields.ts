import { isRecord } from '../base/json.ts';

/** Names of the window in vLLM, OpenRouter, LM Studio and llama.cpp; the loaded size comes before the possible one. */
const WINDOW_FIELDS = [
  'max_model_len',
  'loaded_context_length',
  'context_length',
  'context_window',
  'max_context_length',
  'n_ctx',
] as const;

/** A model in a server's list. */
type Listed = Readonly<Record<string, unknown>> & { readonly id: string };

/** The models in a server's list; empty for any other answer. */
export function listedIn(body: unknown): readonly Listed[] {
  const data = isRecord(body) && Array.isArray(body.data) ? body.data : [];
  return data.filter((each: unknown): each is Listed => isRecord(each) && typeof each.id === 'string');
}

/** Context windows in tokens, by model name, if a list has them. */
export function windowsIn(body: unknown): ReadonlyMap<string, number> {
  return new Map(
    listedIn(body).flatMap((model) => {
      const said = windowOf(model) ?? windowOf(model.meta);
      return said === undefined ? [] : [[model.id, said] as const];
    }),
  );
}

/** The window among the fields of an object. */
export function windowOf(fields: unknown): number | undefined {
  if (!isRecord(fields)) return undefined;
  const said = WINDOW_FIELDS.map((field) => fields[field]).find((each) => typeof each === 'number');
  return typeof said === 'number' ? said : undefined;
}
