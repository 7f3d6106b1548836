import { CORRECTIONS } from './handlers/correct.ts';
import { notify, weather } from './handlers/elsewhere.ts';
import { JOBS } from './handlers/jobs.ts';
import { LISTS } from './handlers/lists.ts';
import { NOTES } from './handlers/notes.ts';
import { pickListed } from './handlers/pick.ts';
import { queryDocuments } from './handlers/query-documents.ts';
import { recallSaid } from './handlers/recall-said.ts';
import { REMINDERS } from './handlers/remind.ts';
import { untilEvent } from './handlers/until-event.ts';
import type { Handler } from './understanding.ts';

/** By the name that examples give as their tool. */
export const HANDLERS: Readonly<Partial<Record<string, Handler>>> = {
  ...{ ...CORRECTIONS, ...JOBS, ...LISTS, ...NOTES, ...REMINDERS },
  ...{ notify, weather, pick: pickListed, query_rag: queryDocuments, recall_said: recallSaid, until_event: untilEvent },
};
