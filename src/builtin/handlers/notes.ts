import { addToDate, localDate } from '../../when/calendar.ts';
import { findDays } from '../../when/day-span.ts';
import { STOP_WORDS } from '../../words/stop-words.ts';
import { type Action, act, ask, say } from '../request.ts';
import type { Handler } from '../understanding.ts';

/** Take a note; with `replaces`, the one with these words goes first. `?`: it is asked which. */
const writeNote: Handler = ({ replaces, text }, { tell, call }) => {
  const note = String(text);
  if (typeof replaces !== 'string') return act(call('write_note', { text: note }));
  if (replaces === '?')
    return ask(tell('ask which note to change'), (which) => tell('change the note', { which, note }));
  if (STOP_WORDS.en.has(replaces)) return undefined;
  const written = replaces === 'last' ? note : withSubject(note, replaces);
  return act(call('delete_note', { about: replaces }), call('write_note', { text: written }));
};

/** "Change the note about the gas meter to 4800": the figure alone would not be found again. */
function withSubject(text: string, about: string): string {
  const words = (said: string): readonly string[] => said.toLowerCase().match(/\p{L}{3,}/gu) ?? [];
  const own = words(text);
  const isBare = own.length < 2 && !words(about).some((word) => own.includes(word));
  return isBare ? `${about}: ${text}` : text;
}

/** A note lies in the past: "on Monday" is the last one. */
const listNotes: Handler = (input, { now, timeZone, call }) => {
  const { from, to, query } = input;
  // "What did I note on Sunday?" names no subject.
  if (typeof query === 'string' && findDays(query, { now, timeZone })) return undefined;
  if (typeof from !== 'string' || from !== to || from <= localDate(now, timeZone))
    return act(call('list_notes', input));
  const day = localDate(addToDate(new Date(`${from}T12:00:00Z`), -1, { unit: 'week', timeZone: 'UTC' }), 'UTC');
  return act(call('list_notes', { from: day, to: day }));
};

/** Delete a note that is named, or the one that the request before took or looked for; else it is asked which. */
const deleteNote: Handler = (input, { tell, call, doneBefore }) => {
  const about = input.at === 'hand' ? aboutOf(noteIn(doneBefore())) : input.about;
  if (typeof about === 'string') return act(call('delete_note', { about }));
  return ask(tell('ask which note to delete'), (which) => tell('delete the note', { which }));
};

function noteIn(actions: readonly Action[]): Action | undefined {
  return actions.findLast(({ tool }) => tool === 'write_note' || tool === 'list_notes');
}

function aboutOf(action: Action | undefined): unknown {
  return action?.tool === 'write_note' ? 'last' : action?.input.query;
}

/** Only what is known is forgotten: other things are deleted elsewhere, such as notes. */
const forgetMemory: Handler = ({ text }, { facts = [], call }) => {
  const wanted = wordsOf(String(text));
  const isKnown = facts.some((fact) => wanted.every((word) => wordsOf(fact).includes(word)));
  return isKnown && wanted.length > 0 ? act(call('forget_memory', { text: wanted.join(' ') })) : undefined;
};

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** "What do you know about me?" */
const recallFacts: Handler = (_input, { facts = [], can, tell }) =>
  can('remember') ? say(tell(facts.length === 0 ? 'no facts' : 'facts', { facts })) : undefined;

export const NOTES = {
  write_note: writeNote,
  list_notes: listNotes,
  delete_note: deleteNote,
  forget_memory: forgetMemory,
  recall_facts: recallFacts,
};
