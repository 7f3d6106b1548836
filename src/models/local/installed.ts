import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { parseJson } from '../../base/json.ts';
import { replaceFile } from '../../base/replace-file.ts';

/** What is kept of a model beside its file. */
const Card = z.object({
  name: z.string().regex(/^[a-z0-9][a-z0-9._-]*$/u),
  /** Under which its weights may be used; as the catalogue or the person said. */
  licence: z.string(),
  /** Where they came from: an address, or a path. */
  source: z.string(),
  sha256: z.string(),
  bytes: z.number(),
});
export type ModelCard = z.infer<typeof Card>;

export interface InstalledModel extends ModelCard {
  readonly path: string;
}

/** The models of one home: a file NAME.gguf each, and NAME.json about it. */
export class InstalledModels {
  readonly dir: string;

  constructor(dir: string) {
    this.dir = dir;
  }

  /** By name. A file without a card was not installed: somebody's download, or one of ours that was cut off. */
  list(): readonly InstalledModel[] {
    if (!existsSync(this.dir)) return [];
    return readdirSync(this.dir)
      .filter((file) => file.endsWith('.json'))
      .sort()
      .flatMap((file) => {
        const card = Card.safeParse(parseJson(readFileSync(join(this.dir, file), 'utf8')));
        const path = card.success ? this.pathOf(card.data.name) : '';
        return card.success && statSync(path, { throwIfNoEntry: false }) ? [{ ...card.data, path }] : [];
      });
  }

  pathOf(name: string): string {
    return join(this.dir, `${name}.gguf`);
  }

  /** The file has to be there already. */
  async add(card: ModelCard): Promise<void> {
    await replaceFile(this.#cardOf(card.name), `${JSON.stringify(card, undefined, 2)}\n`);
  }

  async remove(name: string): Promise<void> {
    await rm(this.#cardOf(name), { force: true });
    await rm(this.pathOf(name), { force: true });
    await rm(`${this.pathOf(name)}.part`, { force: true });
  }

  #cardOf(name: string): string {
    return join(this.dir, `${name}.json`);
  }
}
