import { say } from '../request.ts';
import type { Handler } from '../understanding.ts';

/** "What did I just say?", "repeat that". */
export const recallSaid: Handler = ({ by }, { earlier, in: either }) => {
  const text = earlier.findLast((message) => message.by === by)?.text;
  if (text === undefined)
    return say(
      either('Nothing yet: this conversation has just begun.', 'Noch nichts: das Gespräch hat gerade erst begonnen.'),
    );
  return say(
    `${by === 'person' ? either('You said', 'Du hast gesagt') : either('I said', 'Ich habe gesagt')}: "${text}"`,
  );
};
