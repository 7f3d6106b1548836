import { act } from '../request.ts';
import { search } from '../skills/documents.ts';
import type { Work } from '../work.ts';

/** A question that is answered from the documents. */
export const queryDocuments: Work = ({ query }, request) => act(search(String(query), request));
