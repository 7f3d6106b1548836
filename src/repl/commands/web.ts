import type { Command } from '../command.ts';
import { askedDoor } from '../door-commands.ts';
import { badUsage } from '../flags.ts';

/** Row: `{url, link, expiresAt}`, or `{closed}`, a number. The door is open as long as the prompt is. */
export const web: Command = {
  name: 'web',
  summary: 'Open the door over HTTP beside the prompt, and let a browser in',
  group: 'Tools and approvals',
  usage: ['web [HOST:PORT]', 'web stop'],
  examples: ['web', 'web stop'],
  only: 'slash',
  async run({ app, args: [address, ...more], session, out }) {
    if (more.length > 0) throw badUsage('There is one address too many.', 'Usage: /web [HOST:PORT]');
    if (address === 'stop') {
      const closed = await app.doors.close();
      out.show({ closed }, closed === 0 ? 'No door is open here.' : 'The door is closed.');
      return 0;
    }
    const { url } = await app.doors.openHttp({ address, ...askedDoor(app, session) });
    const { code, expiresAt } = await (await app.doors.devices()).pair();
    const link = `${url}/pair#${code}`;
    out.show({ url, link, expiresAt }, `The door is at ${url}.\nOpen ${link} in the browser that you want to let in.`);
    return 0;
  },
};
