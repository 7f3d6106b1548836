import { isRecord } from '../base/json.ts';

/** What vLLM, OpenRouter, LM Studio and llama.cpp call the window; what is loaded counts before what could be. */
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

/** The models in a server's list; none where it is something else. */
export function listedIn(body: unknown): readonly Listed[] {
  const data = isRecord(body) && Array.isArray(body.data) ? body.data : [];
  return data.filter((each: unknown): each is Listed => isRecord(each) && typeof each.id === 'string');
}

/** Tokens that models hold, by their names, where a list says so. */
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
