import { expect, test } from 'vitest';
import type { Paper } from '../../rag/types.ts';
import { letterFrom } from './letters.ts';

const HARBOUR = [
  'Harbour Insurance Ltd\n\n4 Quay Street, Dover\n\n3 November 2026\n\nYour claim number 88-1204\n\nDear Ms Berg,',
  'thank you for your letter of 20 October 2026. Please send us the signed form',
].join('\n\n');
const PASSAGES: Paper = [
  { chunkId: 1, file: 'img1.jpg', heading: [], text: HARBOUR, citation: '[img1.jpg, upper half]' },
  {
    ...{ chunkId: 2, file: 'img1.jpg', heading: [], citation: '[img1.jpg, lower half]' },
    text: 'by 18 December 2026. We had hoped to settle this by 1 December 2026.\n\nYours sincerely\n\nT. Cole',
  },
  {
    ...{
      chunkId: 3,
      file: 'img2.jpg',
      heading: [],
      citation: '[img2.jpg, read from a picture, uncertain]',
      uncertain: true,
    },
    text: [
      'Stadtwerke Lindau\n\nHafenstraße 5\n\nLindau, 3. November 2026',
      'Die Ablesung war am 2. Oktober 2026 bis spätestens mittags. Bitte zahlen Sie 134,56 EUR bis zum 15. Dezember 2026.',
    ].join('\n\n'),
  },
  { chunkId: 4, file: 'card.jpg', heading: [], text: 'Dear Ann,\n\nwe stay until 5 May 2027.', citation: '[card.jpg]' },
];

const PAPERS = { all: [...Map.groupBy(PASSAGES, ({ file }) => file).values()], isCut: false };
const asked = (question: string) => letterFrom({ papers: async () => PAPERS }, 'home', question);

test.each([
  [
    'What is the deadline in the letter from Harbour Insurance?',
    'Please send us the signed form by 18 December 2026. [img1.jpg, lower half]',
    2,
  ],
  ['Who is the letter about claim 88-1204 from?', 'Harbour Insurance Ltd [img1.jpg, upper half]', 1],
  ['What is the date of the letter from Harbour Insurance?', '3 November 2026 [img1.jpg, upper half]', 1],
  [
    'Bis wann muss ich die Stadtwerke Lindau bezahlen?',
    'Bitte zahlen Sie 134,56 EUR bis zum 15. Dezember 2026. [img2.jpg, read from a picture, uncertain]',
    3,
  ],
  [
    'When is the Stadtwerke bill due?',
    'Bitte zahlen Sie 134,56 EUR bis zum 15. Dezember 2026. [img2.jpg, read from a picture, uncertain]',
    3,
  ],
  ['Von wem ist das Schreiben über die Ablesung?', 'Stadtwerke Lindau [img2.jpg, read from a picture, uncertain]', 3],
])('%s', async (question, answer, chunkId) => {
  expect(await asked(question)).toEqual({ answer, chunkIds: [chunkId] });
});

test.each([
  // Of nobody who wrote.
  'What is the deadline in the letter from Alpine Bank?',
  // A stay is no deadline.
  'What is the deadline in the letter to Ann?',
  // All of them fit.
  // A deadline of what?
  'What is the deadline?',
  'What is the deadline?',
  'Who is the present from?',
  'What does the letter from Harbour Insurance want?',
])('%s', async (question) => {
  expect(await asked(question)).toBeUndefined();
});
