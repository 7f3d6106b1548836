import type { Action, Intent, UserRequest } from './request.ts';
import type { Meaning } from './understand.ts';
import { correct } from './work/correct.ts';
import { notify, weather } from './work/elsewhere.ts';
import { cancelJob, listJobs, moveJob } from './work/jobs.ts';
import { changeList, showLists } from './work/lists.ts';
import { deleteNote, forgetMemory, listNotes, recallFacts, writeNote } from './work/notes.ts';
import { queryDocuments } from './work/query-documents.ts';
import { recallSaid } from './work/recall-said.ts';
import { remind, remindAhead, remindAtHour, remindEve } from './work/remind.ts';
import { untilEvent } from './work/until-event.ts';

/** A request with what it was understood as: all of its slots, and the example. */
export interface Understanding extends UserRequest {
  readonly meaning: Meaning;
  /** What the request before this one was understood as. */
  before(): Meaning | undefined;
  /** The calls that it came to. */
  doneBefore(): readonly Action[];
  /** A call of a tool, told by what its examples say of the result. */
  call(tool: string, input: Action['input']): Action;
}

/**
 * What an example may ask for that is more than one call with its gaps filled: several calls, or one whose result is
 * said by what was asked. Its examples stand in this folder, or beside the tool.
 *
 * @returns undefined where nothing can be made of it: the next best example is looked at.
 */
export type Work = (input: Readonly<Record<string, unknown>>, request: Understanding) => Intent | undefined;

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
  until_event: untilEvent,
};
