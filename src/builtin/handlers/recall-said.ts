import { say } from '../request.ts';
import type { Handler } from '../understanding.ts';

/** "What did I just say?", "repeat that". */
export const recallSaid: Handler = ({ by }, { earlier, tell }) => {
  const said = earlier.findLast((message) => message.by === by);
  return say(said ? tell('said before', said) : tell('just begun'));
};
