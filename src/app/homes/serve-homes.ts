import { AssistantError } from '../../base/errors.ts';
import { modeOf } from '../../base/turn.ts';
import type { App, Frontend, OpenedHome, ServedHomes } from '../../face/app.ts';
import type { Slots } from '../../scheduler/slots.ts';
import { servedHomeSettings } from '../../settings/served-home.ts';
import type { Settings } from '../../settings/settings.ts';
import { listHomes, requireHomeId } from '../../store/homes.ts';
import type { Foundation } from '../foundation.ts';
import { FairSlots } from './fair-slots.ts';
import { HomeContext } from './home-context.ts';
import { HomeServer } from './home-server.ts';
import { Rounds } from './rounds.ts';
import { ServedHome } from './served-home.ts';

/** What a home gets from the program that serves it. */
export interface Serving {
  readonly slots: Slots;
  readonly context: HomeContext;
}

interface ServeParts extends Pick<Foundation, 'store' | 'log'> {
  readonly settings: Settings;
  /** Called with each home that is open; what it gives is called before the home is closed. */
  opened?: ((home: OpenedHome) => () => Promise<void>) | undefined;
  createApp(settings: Settings, frontend: Frontend, additions: { readonly served: Serving }): Promise<App>;
}

/**
 * Work for several homes of the server in this process, fairly: see `FairSlots` and `Rounds`.
 *
 * @param which  ids of homes, some of which may not exist yet, or all that exist.
 * @throws AssistantError `bad_usage` on SQLite or for an id that no home can have.
 */
export async function serveHomes(which: 'all' | readonly string[], parts: ServeParts): Promise<ServedHomes> {
  const { settings, store, log } = parts;
  if (store.location.kind !== 'postgres') {
    throw new AssistantError('bad_usage', 'An SQLite database is one home: --homes needs a PostgreSQL server.', {
      hint: 'Set WOOSTER_STORE_URL (docs/several-machines.md), or leave --homes out.',
    });
  }
  if (which !== 'all') for (const id of which) requireHomeId(id);
  const slots = settings.shared.workerSlots ?? settings.scheduler.concurrency;
  const shared = new FairSlots({ slots, perHome: settings.shared.homeSlots ?? Math.ceil(slots / 2) });
  // As many polls at once as there are connections.
  const rounds = new Rounds(settings.shared.storePool);
  const server = new HomeServer({
    log,
    list: async () => {
      const ids = (await listHomes(store)).map(({ id }) => id);
      return which === 'all' ? ids : ids.filter((id) => which.includes(id));
    },
    open: (id) => openHome(id, parts, { slots: shared, rounds }),
  });
  rounds.start();
  await server.start();
  return {
    count: () => server.size,
    close: async () => {
      await server.close();
      rounds.stop();
    },
  };
}

async function openHome(
  id: string,
  { settings, log, createApp, opened }: ServeParts,
  { slots, rounds }: { readonly slots: FairSlots; readonly rounds: Rounds },
): Promise<Pick<ServedHome, 'close'>> {
  const context = new HomeContext();
  const seat = slots.seat((start) => context.run(start));
  let app: App | undefined;
  // The terminal of a service is its operator's, who must not see a person's messages.
  const frontend: Frontend = { announce: (text) => app?.home.log.info('announcement', { text }), verbose: false };
  try {
    const own = servedHomeSettings(settings, id);
    app = await context.run(() => createApp(own, frontend, { served: { slots: seat, context } }));
    const home = new ServedHome({ id, app, context, seat, rounds, log });
    await home.start();
    const { mode } = modeOf(own.agent.chatMode);
    const leave = opened?.({ app, mode, run: (work) => context.run(work) });
    return {
      close: async () => {
        await leave?.();
        await home.close();
      },
    };
  } catch (error) {
    seat.leave();
    await app?.close();
    throw error;
  }
}
