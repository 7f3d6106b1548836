import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const both = z.strictObject({ en: z.string(), de: z.string() });
const sentences = z.array(z.string().min(1)).max(60);

const exampleSchema = z.strictObject({
  /** Names it in reports: `list changes`. */
  intent: z.string().min(1),
  /** The tool that is called; absent: the one that carries it. */
  tool: z.string().min(1).optional(),
  /** The input of the call: a string that is `{slot}` becomes the value of the slot, others are filled in. */
  input: z.record(z.string(), z.unknown()).default({}),
  /** It is understood only behind a request that called this tool, `*` behind any: "and tomorrow?", "half of that". */
  follows: z.string().min(1).optional(),
  /** It is understood only where this tool is not there, which would do better. */
  unless: z.string().min(1).optional(),
  /** The name of a thing of the owner's that its sentences have: "morning" in "morning brief" is no time of day. */
  name: z.string().min(1).optional(),
  /** A sentence with a time is none of it: "call Ben at five" is for the one who reminds. */
  untimed: z.boolean().optional(),
  /** What is asked for a slot that a sentence leaves open. Without it such a sentence is no example. */
  ask: z.record(z.string(), both).optional(),
  /** What is said of a result, by its code; `""` for all others. See `fillReply`. */
  reply: z.record(z.string(), both).optional(),
  /** Sentences with `{slots}`, `(one|or|another)` and `[what may be left out]`. */
  en: sentences,
  de: sentences,
});

/** Sentences that ask for one call of a tool: a line of a `*.examples.jsonl`. */
export type Example = Readonly<z.input<typeof exampleSchema>>;

/** The same, read, with its tool. */
export type Taught = Readonly<z.output<typeof exampleSchema>> & { readonly tool: string };

/** @throws Error that names the line which is no example. */
export function readExamples(text: string, name: string): readonly Example[] {
  return text.split('\n').flatMap((line, at) => {
    if (line.trim() === '') return [];
    try {
      return [exampleSchema.parse(JSON.parse(line))];
    } catch (error) {
      throw new Error(`${name}, line ${at + 1}: ${error instanceof Error ? error.message : String(error)}`);
    }
  });
}

/** All that the `*.examples.jsonl` of a folder teach, of those that name their tools. */
export function taughtIn(folder: string): readonly Taught[] {
  const files = globSync('*.examples.jsonl', { cwd: folder }).toSorted();
  return files.flatMap((file) =>
    readExamples(readFileSync(join(folder, file), 'utf8'), file).flatMap((each) => taught(each)),
  );
}

/** The examples of `NAME.examples.jsonl`, by their tools. */
export function loadExamples(folder: string, name: string): (tool: string) => readonly Example[] {
  const file = `${name}.examples.jsonl`;
  const all = readExamples(readFileSync(join(folder, file), 'utf8'), file);
  return (tool) => all.filter((example) => example.tool === tool);
}

/** What has examples, by the name of its tool. */
export interface Teaching {
  readonly name: string;
  readonly presentation: { readonly examples?: readonly Example[] | undefined };
}

/** Of all tools of a turn; what a plugin wrote that is no example is left out. */
export function taughtBy(tools: readonly Teaching[]): readonly Taught[] {
  return tools.flatMap(({ name, presentation: { examples = [] } }) =>
    examples.flatMap((each) => taught(each, each.tool ?? name)),
  );
}

const checked = new WeakMap<Example, readonly Taught[]>();

/** @param tool the one that carries the example. @returns the same for the same example. */
export function taught(example: Example, tool = example.tool ?? ''): readonly Taught[] {
  const known = checked.get(example);
  if (known?.every((each) => each.tool === tool)) return known;
  const { data } = exampleSchema.safeParse(example);
  const found = data ? [{ ...data, tool }] : [];
  checked.set(example, found);
  return found;
}
