import type { Work } from './understanding.ts';
import { correct, undoLast } from './work/correct.ts';
import { notify, weather } from './work/elsewhere.ts';
import { cancelJob, listJobs, moveJob } from './work/jobs.ts';
import { changeList, showLists } from './work/lists.ts';
import { deleteNote, forgetMemory, listNotes, recallFacts, writeNote } from './work/notes.ts';
import { pickListed } from './work/pick.ts';
import { queryDocuments } from './work/query-documents.ts';
import { recallSaid } from './work/recall-said.ts';
import { remind, remindAhead, remindAtHour, remindEve } from './work/remind.ts';
import { untilEvent } from './work/until-event.ts';

/** By the name that examples give as their tool. */
export const WORK: Readonly<Partial<Record<string, Work>>> = {
  cancel_job: cancelJob,
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
  remind_eve: remindEve,
  undo_change: undoLast,
  until_event: untilEvent,
  pick: pickListed,
};
