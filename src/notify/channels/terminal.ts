import { messageOf } from '../../base/errors.ts';
import { defineChannel } from '../channel.ts';

/** The terminal in front of the owner. */
export const terminal = defineChannel({
  id: 'terminal',
  label: 'the terminal',
  own: true,
  remote: false,
  options: {},
  connect: (_options, { print }) => ({
    health: () => ({ configured: true, detail: 'this terminal' }),
    recipient: () => 'terminal',
    send: async (text) => {
      try {
        print(text);
        return { state: 'sent', detail: 'printed' };
      } catch (error) {
        return { state: 'failed', detail: messageOf(error) };
      }
    },
  }),
});
