import { parseQuietHours, parseRoute } from '../../notify/routes.ts';
import { integer, parsed } from '../setting.ts';

const ROUTE = 'channels with commas, each with `after TIME` if it waits';

/** How what the owner is to be told goes to them. */
export const routes = {
  defaultRoute: parsed({
    key: 'notify.routes.default',
    env: 'NOTIFY_ROUTE_DEFAULT',
    default: undefined,
    form: ROUTE,
    read: parseRoute,
    about: 'Steps by which a reminder goes to you until one reaches you: here, desktop, ntfy after 2m.',
    without: 'here, then the channel of NOTIFY_CHANNEL',
  }),
  urgentRoute: parsed({
    key: 'notify.routes.urgent',
    env: 'NOTIFY_ROUTE_URGENT',
    default: undefined,
    form: ROUTE,
    read: parseRoute,
    about: 'The same for what is urgent.',
    without: 'here, and after a minute the channel of NOTIFY_CHANNEL',
  }),
  quietHours: parsed({
    key: 'notify.quietHours',
    env: 'NOTIFY_QUIET_HOURS',
    default: undefined,
    form: 'HH:MM-HH:MM',
    read: (written) => parseQuietHours(String(written)),
    about: 'Hours in which no channel is used but for what is urgent; one message afterwards has the rest.',
    without: 'no hours are quiet',
  }),
  repeatMinutes: integer({
    key: 'notify.repeatMinutes',
    env: 'NOTIFY_REPEAT_MINUTES',
    default: 10,
    min: 1,
    max: 1440,
    about: 'Minutes after which something urgent comes again until you say that it is done.',
    without: '10',
  }),
};
