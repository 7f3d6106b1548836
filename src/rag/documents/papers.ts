import type { Store } from '../../store/store.ts';
import type { Kind } from '../read/kinds.ts';
import { Corpus, toHit } from '../search/corpus.ts';
import type { Paper, Papers } from '../types.ts';

/** What people write letters and bills with, and what they get them as. */
const KINDS: readonly Kind[] = ['picture', 'pdf', 'docx', 'odt', 'eml', 'html', 'text'];
/** A letter has a few pages; what has more passages is a contract, a report or a book. */
export const MOST_OF_PAPER = 12;
const MOST_PASSAGES = 5000;

/** The short documents of a project, in the order in which they came, the first thousands of them. */
export async function papers(store: Store, project: string): Promise<Papers> {
  const rows = await store.read
    .selectFrom('chunks as c')
    .innerJoin('sources as s', 's.id', 'c.source_id')
    .select('c.id')
    .where('c.project', '=', project)
    .where('s.kind', 'in', KINDS)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('chunks as o')
            .select('o.id')
            .whereRef('o.source_id', '=', 'c.source_id')
            .where('o.ordinal', '>=', MOST_OF_PAPER),
        ),
      ),
    )
    .orderBy('c.source_id')
    .orderBy('c.ordinal')
    .limit(MOST_PASSAGES + 1)
    .execute();
  const isCut = rows.length > MOST_PASSAGES;
  const chunks = await new Corpus(store, project).getMany(rows.map(({ id }) => id));
  const all = [...Map.groupBy(chunks.values(), ({ sourceId }) => sourceId).values()].map(
    (own): Paper => own.map((chunk) => toHit(chunk, 0)),
  );
  // The last one may be there in part.
  return { all: isCut ? all.slice(0, -1) : all, isCut };
}
