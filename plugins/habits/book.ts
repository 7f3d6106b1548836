import { readFile } from 'node:fs/promises';
import { changeInTurn, replaceFile, z } from '#plugin';

const Habit = z.object({
  name: z.string(),
  every: z.enum(['day', 'week']),
  times: z.number().int().positive(),
  since: z.string(),
  done: z.array(z.string()),
});
const Goal = z.object({
  name: z.string(),
  target: z.number().optional(),
  unit: z.string().optional(),
  due: z.string().optional(),
  since: z.string(),
  progress: z.array(z.object({ on: z.string(), value: z.number() })),
  milestones: z.array(z.object({ name: z.string(), done: z.string().optional() })),
  done: z.string().optional(),
});
const Content = z.object({ habits: z.array(Habit).default([]), goals: z.array(Goal).default([]) });

export type Habit = z.output<typeof Habit>;
export type Goal = z.output<typeof Goal>;
export type Content = z.output<typeof Content>;

/** The file with all habits and goals. A damaged file is never overwritten. */
export class Book {
  readonly versioned: boolean;
  /** As the gate knows it. */
  readonly source: string;
  readonly #path: string;

  /** @param versioned  whether its changes can be undone. */
  constructor(path: string, versioned: boolean) {
    this.#path = path;
    this.source = `file:${path}`;
    this.versioned = versioned;
  }

  async read(): Promise<Content> {
    const text = await readFile(this.#path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return '{}';
      throw error;
    });
    try {
      return Content.parse(JSON.parse(text));
    } catch (error) {
      throw new Error(`${this.#path} is damaged; mend it or move it away.`, { cause: error });
    }
  }

  /** Changes run one at a time; when `edit` throws, nothing is changed. */
  change<T>(edit: (content: Content) => T): Promise<T> {
    return changeInTurn(this.#path, async () => {
      const content = await this.read();
      const result = edit(content);
      await replaceFile(this.#path, `${JSON.stringify(content, null, 2)}\n`);
      return result;
    });
  }
}

/** @throws Error that lists the names when none or several fit. */
export function named<T extends { readonly name: string }>(all: readonly T[], said: string, kind: string): T {
  const wanted = said.trim().toLowerCase();
  const exact = all.filter(({ name }) => name.toLowerCase() === wanted);
  const found = exact.length > 0 ? exact : all.filter(({ name }) => name.toLowerCase().includes(wanted));
  const [one, second] = found;
  if (one && !second) return one;
  const names = (second ? found : all).map(({ name }) => name).join(', ') || 'none yet';
  throw new Error(`${second ? 'Several' : 'No'} ${kind} ${second ? 'fit' : 'is called'} "${said}": ${names}.`);
}

/** @throws Error when the name is taken. */
export function refuseTaken(all: readonly { readonly name: string }[], name: string, kind: string): void {
  if (all.some((each) => each.name.toLowerCase() === name.toLowerCase()))
    throw new Error(`There is a ${kind} "${name}".`);
}
