import { messageOf } from '../base/errors.ts';
import type { Channel } from './channel.ts';

/** The screen in front of the owner; `print` belongs to the face. */
export function createTerminal(print: (text: string) => void): Channel {
  return {
    name: 'terminal',
    status: () => ({ name: 'terminal', configured: true, detail: 'this terminal' }),
    address: () => 'terminal',
    split: (text) => [text],
    deliver: async (text) => {
      try {
        print(text);
        return { state: 'sent', detail: 'printed' };
      } catch (error) {
        return { state: 'failed', detail: messageOf(error) };
      }
    },
  };
}
