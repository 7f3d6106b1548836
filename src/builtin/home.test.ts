import { expect, test } from 'vitest';
import { homeOf } from './home.ts';

test.each([
  [['I live in Galway with my wife'], 'Galway'],
  [['my cat is Tom', 'we live near the sea, as you know'], 'sea'],
  [['I have moved to Cork'], 'Cork'],
  [['ich wohne jetzt in Köln seit Mai'], 'Köln'],
  [['ich bin nach Bonn umgezogen'], 'Bonn'],
  [['I like Galway'], undefined],
  [undefined, undefined],
])('home as told in %j is %s', (facts, home) => expect(homeOf({ facts })).toBe(home));
