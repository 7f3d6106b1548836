import { act } from '../request.ts';
import type { Work } from '../work.ts';

/** Services that people name whether there is a channel for them or not; the notifier says what it lacks. */
const SERVICES = new Set(['ntfy', 'slack', 'telegram', 'email', 'e-mail', 'terminal', 'webhook', 'pushover', 'matrix']);

/** A message on a channel that is named, through `notify`, or through the channel's own tool where that is not there. */
export const notify: Work = ({ text, to }, { can, call }) => {
  if (to === undefined) return act(call('notify', { text }));
  const channel = String(to).toLowerCase();
  const own = `${channel}_notify`;
  if (!SERVICES.has(channel) && !can(own)) return undefined;
  return act(!can('notify') && can(own) ? call(own, { text }) : call('notify', { text, to: channel }));
};
