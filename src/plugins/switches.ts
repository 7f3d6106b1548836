import { readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import { makeFolder } from '../base/folders.ts';
import { parseJson } from '../base/json.ts';
import { replaceFile } from '../base/replace-file.ts';

const SwitchShape = z.object({
  /** What `plugin enable` and `plugin disable` said; absent: the settings decide. */
  enabled: z.boolean().optional(),
  /** The files that the owner agreed to run. */
  pinned: z.record(z.string(), z.object({ hash: z.string(), text: z.string().optional() })).optional(),
  /** Why it was switched off while it ran. */
  fault: z.object({ why: z.string(), at: z.string() }).optional(),
});

/** What the owner has decided about one plugin, and what it did. */
export type Switch = z.infer<typeof SwitchShape>;

const Shape = z.record(z.string(), SwitchShape);

/** The owner's decisions by plugin, in one file of the home that only they can read. */
export class Switches {
  readonly #path: string | undefined;
  #entries: Record<string, Switch> = {};
  #readAt = -1;
  /** One change after the other: of two at once, each would write the file without the other's. */
  #writing: Promise<void> = Promise.resolve();

  /** @param path undefined: nothing is kept. */
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
    // A file that somebody has damaged decides nothing: plugins of the owner's are off then.
    const read = Shape.safeParse(parseJson(readFileSync(this.#path as string, 'utf8')));
    this.#entries = read.success ? read.data : {};
    return true;
  }

  /**
   * Change one entry, at once for this program, and in the file after the changes that were asked for before.
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

  /** What another program has written since is kept. */
  async #write(name: string, next: Switch | undefined): Promise<void> {
    if (this.#path === undefined) return;
    this.read();
    this.#change(name, next);
    makeFolder(dirname(this.#path));
    await replaceFile(this.#path, `${JSON.stringify(this.#entries, null, 1)}\n`);
    this.#readAt = statSync(this.#path).mtimeMs;
  }
}
