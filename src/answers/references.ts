import { pattern } from '../base/pattern.ts';
import type { Documents, Hit } from '../rag/types.ts';
import { SECTION_WORDS } from '../words/section-words.ts';
import { oneOf } from '../words/spelling.ts';

/** A section that a passage refers to. */
export interface Reference {
  /** Its heading: `12. Notice`. */
  readonly section: string;
  readonly citation: string;
}

const REFERRING = pattern(
  'giu',
  String.raw`(?:§+ ?|(?<!\p{L})(?:${oneOf([SECTION_WORDS.en], [SECTION_WORDS.de])}) )`,
  String.raw`(?<number>\d{1,3}(?:\.\d{1,3}){0,3})(?![\p{L}\d])`,
);
const MOST_REFERENCES = 3;

/** The sections of their own documents that passages refer to by number, as far as these are not among the passages. */
export async function referencesOf(
  documents: Pick<Documents, 'section'>,
  project: string,
  hits: readonly Hit[],
): Promise<readonly Reference[]> {
  const found = new Map<string, Reference>();
  const isShown = (citation: string) => hits.some((hit) => hit.citation === citation);
  for (const { chunkId, text } of hits)
    for (const number of new Set([...text.matchAll(REFERRING)].map(({ groups }) => groups?.number ?? ''))) {
      if (found.size === MOST_REFERENCES) return [...found.values()];
      const hit = await documents.section(project, chunkId, number);
      if (hit && !isShown(hit.citation))
        found.set(hit.citation, { section: hit.heading.at(-1) ?? '', citation: hit.citation });
    }
  return [...found.values()];
}
