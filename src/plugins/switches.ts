import { readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import { makeFolder } from '../base/folders.ts';
import { parseJson } from '../base/json.ts';
import { replaceFile } from '../base/replace-file.ts';

const SwitchShape = z.object({
  /** The last `plugin enable` or `plugin disable`; absent: the settings decide. */
  enabled: z.boolean().optional(),
  /** The files that the owner agreed to run. */
  pinned: z.record(z.string(), z.object({ hash: z.string(), text: z.string().optional() })).optional(),
  /** Why it was switched off while it ran. */
  fault: z.object({ why: z.string(), at: z.string() }).optional(),
});

/** The owner's decision about one plugin, and its misbehaviour. */
export type Switch = z.infer<typeof SwitchShape>;

const Shape = z.record(z.string(), SwitchShape);

/** The owner's decisions by plugin, in one file of the home that only they can read. */
export class Switches {
  readonly #path: string | undefined;
  #entries: Record<string, Switch> = {};
  #readAt = -1;
  /** Serialises changes: two concurrent ones would each write the file without the other's. */
  #writing: Promise<void> = Promise.resolve();

  /** @param path undefined: nothing is saved. */
  constructor(path: string | undefined) {
    this.#path = path;
    this.read();
  }

  of(name: string): Switch {
    return this.#entries[name] ?? {};
  }

  /** Read the file again if another program has changed it. @returns whether it has. */
  read(): boolean {
    const changed = this.#path === undefined ? undefined : statSync(this.#path, { throwIfNoEntry: false })?.mtimeMs;
    if (changed === undefined || changed === this.#readAt) return false;
    this.#readAt = changed;
    // A damaged file decides nothing, so the owner's plugins are off.
    const read = Shape.safeParse(parseJson(readFileSync(this.#path as string, 'utf8')));
    this.#entries = read.success ? read.data : {};
    return true;
  }

  /**
   * Change one entry: immediately in memory, and in the file after all earlier changes.
   *
   * @param next undefined: forget it. @throws the system's error; the file is as it was then.
   */
  async set(name: string, next: Switch | undefined): Promise<void> {
    this.#change(name, next);
    const written = this.#writing.then(() => this.#write(name, next));
    this.#writing = written.catch(() => {});
    await written;
  }

  #change(name: string, next: Switch | undefined): void {
    const { [name]: _before, ...others } = this.#entries;
    this.#entries = next === undefined ? others : { ...others, [name]: next };
  }

  /** Merges with what another process has written since. */
  async #write(name: string, next: Switch | undefined): Promise<void> {
    if (this.#path === undefined) return;
    this.read();
    this.#change(name, next);
    makeFolder(dirname(this.#path));
    await replaceFile(this.#path, `${JSON.stringify(this.#entries, null, 1)}\n`);
    this.#readAt = statSync(this.#path).mtimeMs;
  }
}
