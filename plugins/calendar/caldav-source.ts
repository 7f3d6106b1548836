import type { DAVCalendar } from 'tsdav';
import type { Source } from './source.ts';

export interface CaldavAccount {
  readonly url: string;
  readonly username: string;
  readonly password: string;
  /** The calendar that new events go to; the first one unless set. */
  readonly calendar?: string | undefined;
}

type Client = Awaited<ReturnType<typeof import('tsdav').createDAVClient>>;

/** The calendars of one account on a CalDAV server. It connects on first use. */
export function caldavSource(account: CaldavAccount, fetch: typeof globalThis.fetch): Source {
  let opened: Promise<Client> | undefined;
  const client = async () => {
    opened ??= connect(account, fetch);
    return opened.catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
  };
  return {
    versioned: false,
    async read({ from, to }) {
      const dav = await client();
      const timeRange = { start: from.toISOString(), end: to.toISOString() };
      const each = async (calendar: DAVCalendar) => {
        const objects = await dav.fetchCalendarObjects({ calendar, timeRange });
        const name = nameOf(calendar);
        return objects.flatMap(({ url, etag, data }) =>
          typeof data === 'string' ? [{ calendar: name, ref: url, etag, text: data }] : [],
        );
      };
      const found = await Promise.all((await eventCalendars(dav)).map(each));
      return { stored: found.flat(), problems: [] };
    },
    async add(name, text) {
      const dav = await client();
      const all = await eventCalendars(dav);
      const calendar = account.calendar ? all.find((each) => nameOf(each) === account.calendar) : all[0];
      if (!calendar) throw new Error(`The server has no calendar ${account.calendar ?? 'for events'}.`);
      const made = await dav.createCalendarObject({ calendar, filename: `${name}.ics`, iCalString: text });
      // Only an earlier attempt of the same call can have made an object of this name.
      if (made.status !== 412) check(made);
    },
    async replace({ ref, etag }, text) {
      const dav = await client();
      const calendarObject = { url: ref, etag: etag ?? '', data: text ?? '' };
      check(
        await (text === undefined
          ? dav.deleteCalendarObject({ calendarObject })
          : dav.updateCalendarObject({ calendarObject })),
      );
    },
  };
}

async function connect({ url, username, password }: CaldavAccount, fetch: typeof globalThis.fetch): Promise<Client> {
  const { createDAVClient } = await import('tsdav');
  const credentials = { username, password };
  const own = { serverUrl: url, credentials, authMethod: 'Basic', defaultAccountType: 'caldav', fetch } as const;
  return createDAVClient(own).catch((error: unknown) => {
    throw new Error('The calendar server did not accept the connection; check CALDAV_URL, user and password.', {
      cause: error,
    });
  });
}

async function eventCalendars(dav: Client): Promise<DAVCalendar[]> {
  const all = await dav.fetchCalendars();
  return all.filter(({ components }) => components === undefined || components.includes('VEVENT'));
}

function nameOf({ displayName, url }: DAVCalendar): string {
  return typeof displayName === 'string' && displayName !== ''
    ? displayName
    : (url.split('/').filter(Boolean).at(-1) ?? url);
}

function check({ ok, status }: Response): void {
  if (status === 412) throw new Error('The event was changed by another program meanwhile; look at it again.');
  if (!ok) throw new Error(`The calendar server answered with status ${status}.`);
}
