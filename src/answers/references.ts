import { pattern } from '../base/pattern.ts';
import type { Documents, Hit } from '../rag/types.ts';
import { SECTION_WORDS } from '../words/section-words.ts';
import { oneOf } from '../words/spelling.ts';

const REFERRING = pattern(
  'giu',
  String.raw`(?:§+ ?|(?<!\p{L})(?:${oneOf([SECTION_WORDS.en], [SECTION_WORDS.de])}) )`,
  String.raw`(?<number>\d{1,3}(?:\.\d{1,3}){0,3})(?![\p{L}\d])`,
);
const MOST_REFERENCES = 3;

/**
 * The sections of their own documents that passages refer to by number, as far as these are not among the passages.
 *
 * @returns their citations, which have their headings.
 */
export async function referencesOf(
  documents: Pick<Documents, 'section'>,
  project: string,
  hits: readonly Hit[],
): Promise<readonly string[]> {
  const found = new Set<string>();
  const isShown = (citation: string) => hits.some((hit) => hit.citation === citation);
  for (const { chunkId, text } of hits)
    for (const number of new Set([...text.matchAll(REFERRING)].map(({ groups }) => groups?.number ?? ''))) {
      if (found.size === MOST_REFERENCES) return [...found];
      const hit = await documents.section(project, chunkId, number);
      if (hit && !isShown(hit.citation)) found.add(hit.citation);
    }
  return [...found];
}
