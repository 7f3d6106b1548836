import { correct, undoLast } from './handlers/correct.ts';
import { notify, weather } from './handlers/elsewhere.ts';
import { cancelJob, cancelTimer, listJobs, moveJob } from './handlers/jobs.ts';
import { changeList, showLists } from './handlers/lists.ts';
import { deleteNote, forgetMemory, listNotes, recallFacts, writeNote } from './handlers/notes.ts';
import { pickListed } from './handlers/pick.ts';
import { queryDocuments } from './handlers/query-documents.ts';
import { recallSaid } from './handlers/recall-said.ts';
import { remind, remindAhead, remindAtHour } from './handlers/remind.ts';
import { untilEvent } from './handlers/until-event.ts';
import type { Handler } from './understanding.ts';

/** By the name that examples give as their tool. */
export const HANDLERS: Readonly<Partial<Record<string, Handler>>> = {
  cancel_job: cancelJob,
  cancel_timer: cancelTimer,
  correct,
  list_jobs: listJobs,
  move_job: moveJob,
  query_rag: queryDocuments,
  change_list: changeList,
  show_lists: showLists,
  write_note: writeNote,
  list_notes: listNotes,
  delete_note: deleteNote,
  forget_memory: forgetMemory,
  recall_facts: recallFacts,
  notify,
  weather,
  recall_said: recallSaid,
  remind,
  remind_ahead: remindAhead,
  remind_at_hour: remindAtHour,
  undo_change: undoLast,
  until_event: untilEvent,
  pick: pickListed,
};
