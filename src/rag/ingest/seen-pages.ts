import { z } from 'zod';
import { parseJson } from '../../base/json.ts';
import type { Store } from '../../store/store.ts';
import type { Block, SeenPage } from '../read/parsed.ts';
import { inBatches } from './batches.ts';
import { storable } from './chunk-rows.ts';

/** Raise it when the same picture is read differently: all pictures are then read again. */
const OCR_VERSION = 3;

const share = z.number();
const box = z.tuple([share, share, share, share]);
const block = z.object({
  kind: z.literal('text'),
  text: z.string(),
  page: z.int().optional(),
  place: z.string().optional(),
  seen: z.object({ boxes: z.array(box), confidence: z.number() }).optional(),
});
const kept = z.array(block);

/** Where pages that were read are kept for when the file is read again, or reading it is continued. */
export interface KeptPages {
  /** The pages of a file, by their numbers. */
  of(sha256: string): Promise<Map<number, SeenPage>>;
  keep(sha256: string, pages: readonly SeenPage[]): Promise<void>;
}

/** The pages of one project's files, in the database: reading them takes seconds each. */
export class SeenPages implements KeptPages {
  readonly #store: Store;
  readonly #project: string;
  readonly #version: string;

  /** @param languages  another choice of them reads otherwise. */
  constructor(store: Store, project: string, languages: string) {
    this.#store = store;
    this.#project = project;
    this.#version = `${OCR_VERSION}.${languages}`;
  }

  async of(sha256: string): Promise<Map<number, SeenPage>> {
    const rows = await this.#store.db
      .selectFrom('seen_pages')
      .select(['page', 'found'])
      .where('project', '=', this.#project)
      .where('sha256', '=', sha256)
      .where('version', '=', this.#version)
      .execute();
    return new Map(
      rows.flatMap(({ page, found }) => {
        const read = kept.safeParse(parseJson(found));
        return read.success ? [[page, { page, blocks: read.data satisfies Block[] }] as const] : [];
      }),
    );
  }

  /** Those that could not be read are tried again. */
  async keep(sha256: string, pages: readonly SeenPage[]): Promise<void> {
    const rows = pages.flatMap((each) => {
      if ('why' in each) return [];
      const found = storable(JSON.stringify(each.blocks));
      return [{ project: this.#project, sha256, page: each.page, version: this.#version, found }];
    });
    for (const some of inBatches(rows))
      await this.#store.db
        .insertInto('seen_pages')
        .values(some)
        .onConflict((conflict) =>
          conflict
            .columns(['project', 'sha256', 'page', 'version'])
            .doUpdateSet(({ ref }) => ({ found: ref('excluded.found') })),
        )
        .execute();
  }

  /** Forget the pages of files that the project no longer has. */
  async sweep(): Promise<void> {
    await this.#store.db
      .deleteFrom('seen_pages')
      .where('project', '=', this.#project)
      .where('sha256', 'not in', ({ selectFrom }) =>
        selectFrom('sources').select('sources.sha256').where('sources.project', '=', this.#project),
      )
      .execute();
  }
}
