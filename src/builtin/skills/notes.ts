import { isRecord } from '../../base/json.ts';
import { addToDate, localDate } from '../../when/calendar.ts';
import { findDays } from '../../when/day-span.ts';
import { mainClause } from '../main-clause.ts';
import { type Action, act, ask, bare, type Intent, type Skill, type UserRequest } from '../request.ts';
import {
  ABOUT,
  AFTERWARDS,
  CHANGE,
  DELETE,
  FURTHER,
  LAST,
  OF_A_DAY,
  ONE_ABOUT,
  SHOW,
  SHOWN,
  TAKE,
  talksOfNotes,
} from './note-phrases.ts';

export const notes: Skill = {
  name: 'notes',
  anyLength: true,
  command: true,
  examples: {
    en: ['note: the spare key is with Anna', 'what did I note yesterday?', 'delete the note about the plumber'],
    de: [
      'notiere: der Ersatzschlüssel ist bei Anna',
      'was habe ich gestern notiert?',
      'lösche die Notiz über den Klempner',
    ],
  },
  recognize: (request) => changing(request) ?? deletion(request) ?? reading(request) ?? taking(request),
};

/** The old one goes, the new one is written. Without a word of which, that is asked. */
function changing(request: UserRequest): Intent | undefined {
  const { about, last, text } = CHANGE(request.plain) ?? {};
  if (text === undefined) return undefined;
  const which = last === undefined ? about?.replace(/:$/u, '') : 'last';
  if (which === undefined)
    return ask(
      request.in('Which note is that? A word of it is enough.', 'Welche Notiz ist das? Ein Wort daraus genügt.'),
      (answer) =>
        request.in(`change the note about ${answer} to ${text}`, `ändere die Notiz über ${answer} in ${text}`),
    );
  return act(
    removal(which, request),
    writing(last === undefined ? withSubject(bare(text), which) : bare(text), request),
  );
}

/** "Change the note about the gas meter to 4800": the figure alone would not be found again. */
function withSubject(text: string, about: string): string {
  const words = (said: string): readonly string[] => said.toLowerCase().match(/\p{L}{3,}/gu) ?? [];
  const own = words(text);
  const isBare = own.length < 2 && !words(about).some((word) => own.includes(word));
  return isBare ? `${withoutArticle(about)}: ${text}` : text;
}

function deletion(request: UserRequest): Intent | undefined {
  const { plain } = request;
  const last = LAST(plain);
  // "Delete it" may be about anything.
  if (last && (/\bnoti[zc]e?\b|\bnote\b/iu.test(plain) || talksOfNotes(request)))
    return last.that === undefined ? remove('last', request) : removeThat(request);
  const about = DELETE(plain)?.about ?? (talksOfNotes(request) ? ONE_ABOUT(plain)?.gone : undefined);
  return about === undefined
    ? undefined
    : remove(bare(about.replace(/^(?:the|my|den|die|das|der|dem)\s+/iu, '')), request);
}

/** "Delete that note" is about the one that was shown, else the newest. */
function removeThat(request: UserRequest): Intent {
  const answer = request.earlier.at(-1);
  const shown = answer?.by === 'assistant' && SHOWN.test(answer.text) ? answer.text.split('\n').slice(1) : [];
  const [first, ...others] = shown.map((line) => line.replace(DATED, ''));
  if (others.length > 0)
    return ask(request.in('Which note should I delete?', 'Welche Notiz soll ich löschen?'), (which) =>
      request.in(`delete the note about ${which}`, `lösche die Notiz über ${which}`),
    );
  return remove(first ?? 'last', request);
}

const DATED = /^- \d{4}-\d\d-\d\d \d\d:\d\d /u;

const withoutArticle = (words: string) => bare(words.replace(/^(?:the|my|a|an|den|die|das|der|dem|meine?n?) /iu, ''));

function remove(about: string, request: UserRequest): Intent {
  return act(removal(about, request));
}

function removal(about: string, request: UserRequest): Action {
  return {
    tool: 'delete_note',
    input: { about },
    say: ({ value }) => {
      const deleted = isRecord(value) && typeof value.deleted === 'string' ? value.deleted : undefined;
      if (deleted !== undefined) return request.in(`Deleted the note: ${deleted}`, `Notiz gelöscht: ${deleted}`);
      const matches = isRecord(value) ? linesOf(value.matches) : [];
      const none = request.in('There is no such note.', 'So eine Notiz gibt es nicht.');
      if (matches.length === 0) return none;
      // One that fitted would be gone.
      const near = request.in('The nearest, still there:', 'Am nächsten kommt, noch da:');
      if (matches.length === 1) return `${none} ${near}\n- ${matches[0]}`;
      const which = request.in(
        'Several notes fit; nothing was deleted:',
        'Mehrere Notizen passen; gelöscht habe ich keine:',
      );
      return `${which}\n${matches.map((line) => `- ${line}`).join('\n')}`;
    },
  };
}

function reading(request: UserRequest): Intent | undefined {
  const { plain } = request;
  if (SHOW(plain)) return show({}, request);
  const days = daysIn(OF_A_DAY(plain)?.day, request);
  if (days) return show(days, request);
  const about = ABOUT(plain)?.about ?? (talksOfNotes(request) ? ONE_ABOUT(plain)?.about : undefined);
  return about === undefined ? undefined : show({ query: withoutArticle(about) }, request);
}

/** `yesterday`, `monday`, `this week`. A note lies in the past: "monday" is the last one. */
function daysIn(words: string | undefined, { now, timeZone }: UserRequest): { from: string; to: string } | undefined {
  const days = words === undefined ? undefined : findDays(words, { now, timeZone });
  if (!days || days.from !== days.to || days.from <= localDate(now, timeZone)) return days && { ...days };
  const date = lastWeek(days.from);
  return { from: date, to: date };
}

function lastWeek(date: string): string {
  return localDate(addToDate(new Date(`${date}T12:00:00Z`), -1, { unit: 'week', timeZone: 'UTC' }), 'UTC');
}

function show(input: Record<string, string>, request: UserRequest): Intent {
  return act({ tool: 'list_notes', input, say: ({ value }) => sayNotes(linesOf(value), input, request) });
}

function sayNotes(lines: readonly string[], input: Record<string, string>, request: UserRequest): string {
  const { query, from } = input;
  if (lines.length > 0)
    return `${request.in('Your notes', 'Deine Notizen')}:\n${lines.map((line) => `- ${line}`).join('\n')}`;
  if (query !== undefined)
    return sayTold(query, request) ?? request.in(`No note mentions ${query}.`, `Keine Notiz erwähnt ${query}.`);
  if (from === undefined) return request.in('There are no notes yet.', 'Es gibt noch keine Notizen.');
  return request.in('There are no notes of that time.', 'Aus dieser Zeit gibt es keine Notizen.');
}

/** What the owner asked to remember is no note, but they may look for it among them. */
function sayTold(query: string, request: UserRequest): string | undefined {
  const found = request.facts?.filter((fact) => fact.toLowerCase().includes(query.toLowerCase())) ?? [];
  if (found.length === 0) return undefined;
  const lead = request.in('No note, but you told me', 'Keine Notiz, aber du hast mir gesagt');
  return `${lead}:\n${found.map((fact) => `- ${fact}`).join('\n')}`;
}

/** Each note behind the time at which it was taken. */
function linesOf(value: unknown): string[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((note: unknown) =>
    isRecord(note) ? [`${String(note.at ?? '')} ${String(note.text)}`.trim()] : [],
  );
}

function taking(request: UserRequest): Intent | undefined {
  const text = request.text.trim();
  const slots =
    TAKE(text.replace(/^([\p{L} -]{2,20}):(?=\S)/u, '$1: ')) ??
    AFTERWARDS(text.replace(/(?<![.!\s])[.!\s]+$/u, '')) ??
    (talksOfNotes(request) ? FURTHER(text) : undefined);
  if (!slots) return undefined;
  const said = slots.text ?? '';
  const plain = bare(said.replace(/^(?:that|to self|dass)\b[:,]?\s*/iu, '').replace(/^[:,-]\s*/u, ''));
  const note = slots.clause === undefined ? plain : mainClause(plain);
  if (note !== '' && !/^(?:a|an|the|this|eine|die) (?:note|notiz)$/iu.test(note)) return write(note, request);
  const question = request.in('What should I note?', 'Was soll ich notieren?');
  return ask(question, (answer) => `${request.in('note', 'notiz')}: ${answer}`);
}

function write(text: string, request: UserRequest): Intent {
  return act(writing(text, request));
}

function writing(text: string, request: UserRequest): Action {
  // The request comes without what looked like a password; the owner must not think that it is kept.
  const left = text.includes('[secret]')
    ? request.in(
        '\nI left out what looks like a password: I keep none. A password manager does.',
        '\nWas wie ein Passwort aussieht, habe ich weggelassen: Ich bewahre keine auf. Ein Passwort-Manager kann das.',
      )
    : '';
  return { tool: 'write_note', input: { text }, say: () => `${request.in('Noted', 'Notiert')}: ${text}${left}` };
}
