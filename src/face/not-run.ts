import type { Approved } from '../agent/approved-calls.ts';

/** Why a proposal was not run. */
export const NOT_RUN: Readonly<Record<Exclude<Approved['outcome'], 'ran'>, string>> = {
  changed: 'What it would change has changed since it was proposed, so it was not run. This is what it would do now:',
  busy: 'It is being run just now, here or in another program, or was stopped before it began. Look again in a minute.',
  missing: 'Its tool is not there now.',
  done: 'It has run already; nothing runs twice.',
  failed: 'It was run and failed.',
  unknown: 'It was begun, and how it ended is unknown, so it is not run again.',
  denied: 'It was denied.',
  expired: 'It waited too long. Ask for it again.',
};
