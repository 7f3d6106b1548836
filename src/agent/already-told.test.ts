import { expect, test } from 'vitest';
import type { TurnEvent } from '../base/turn.ts';
import { AlreadyTold } from './already-told.ts';

const sent = (name: string, input: object, ok = true): TurnEvent => ({
  ...{ type: 'tool', callId: 'call_1', name, input, ok, ms: 1, preview: '' },
});

test.each([
  ['Take your tablets.', [sent('notify', { text: 'Take your tablets!' })], true],
  ['Done, I have reminded you.', [sent('notify', { text: 'Take your tablets!' })], true],
  ['Erledigt: Die Nachricht ist gesendet.', [sent('discord_notify', { text: 'Nimm deine Tabletten' })], true],
  ['Three ferries leave today: 9:10, 12:40 and 17:05.', [sent('notify', { text: 'Take your tablets!' })], false],
  ['Take your tablets.', [sent('signal_notify', { text: 'Take your tablets.' })], false],
  ['Take your tablets.', [sent('notify', { text: 'Take your tablets.' }, false)], false],
  ['Take your tablets.', [sent('write_note', { text: 'Take your tablets.' })], false],
  ['Take your tablets.', [sent('notify', { text: 'Take your tablets.', to: 'discord' })], true],
  ['Take your tablets.', [sent('notify', { text: 'Take your tablets.', to: 'signal' })], false],
  ['Take your tablets.', [sent('notify', {})], false],
  ['Done, it is sent.', [sent('notify', {})], true],
  ['Take your tablets.', [], false],
])('"%s" after %j: %s', (answer, events, expected) => {
  const told = new AlreadyTold();
  for (const event of events) told.note(event);
  expect(told.covers(answer, 'discord')).toBe(expected);
});
