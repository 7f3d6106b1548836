import { AssistantError } from '../base/errors.ts';
import type { App, Doors } from '../face/app.ts';
import type { OpenDoor } from '../face/doors.ts';
import type { Settings } from '../settings/settings.ts';

type DoorSettings = Settings['server'];

/** Each way in with its packages, loaded when somebody comes. @param app the program, once it is put together. */
export function openDoors(settings: DoorSettings, app: () => App): Doors {
  const { enabled, address = DEFAULT_ADDRESS } = settings;
  const { host, port } = placeOf(address);
  let chats: { close(): Promise<void> } | undefined;
  const open = new Set<OpenDoor>();
  return {
    openChats: async (door) => {
      const { store, schedule } = app();
      if (store.unkept || chats || schedule.notifier.receiving().length === 0) return;
      chats = (await import('../server/messages/open.ts')).openChats(app(), door, {
        hintsStrangers: settings.pairingHint,
      });
    },
    closeChats: async () => chats?.close(),
    editorOffer: async (session) => (await import('../server/acp/offer.ts')).editorOffer(app(), session),
    devices: async () => new (await import('../server/http/devices.ts')).Devices(app().store, { home: app().home.id }),
    hooks: async () =>
      new (await import('../server/http/hooks.ts')).Hooks({ store: app().store, jobs: app().schedule.jobs }),
    httpEnabled: enabled,
    http: async () => {
      const { openDoorOf } = await import('../server/http/door-file.ts');
      const usual = `${settings.tlsCert === undefined ? 'http' : 'https'}://${hostPart(host)}:${port}`;
      const opened = openDoorOf(app().home.dir);
      return { url: opened ?? usual, isOpen: opened !== undefined };
    },
    openHttp: async ({ address: asked = address, ...door }) => {
      const { openHttp } = await import('../server/http/serve.ts');
      const opened = await openHttp(app(), { ...door, ...placeOf(asked), ...around(settings) });
      open.add(opened);
      return opened;
    },
    openSharedHttp: async (asked = address) => {
      const { openSharedHttp } = await import('../server/http/serve.ts');
      const opened = await openSharedHttp({ ...placeOf(asked), ...around(settings) }, app().home.log);
      open.add(opened);
      return opened;
    },
    close: async () => {
      const all = [...open];
      open.clear();
      await Promise.all(all.map((door) => door.close()));
      return all.length;
    },
  };
}

const hostPart = (host: string) => (host.includes(':') ? `[${host}]` : host);

const DEFAULT_ADDRESS = '127.0.0.1:4321';

function around({ names, proxies, tlsCert, tlsKey }: DoorSettings) {
  const isWhole = (tlsCert === undefined) === (tlsKey === undefined);
  if (!isWhole)
    throw new AssistantError('bad_setting', 'server.tls needs a certificate and its key.', {
      hint: 'Set both SERVER_TLS_CERT and SERVER_TLS_KEY.',
    });
  const tls = tlsCert !== undefined && tlsKey !== undefined ? { cert: tlsCert, key: tlsKey } : undefined;
  return { names, proxies, tls };
}

const ADDRESS = /^(?<host>\[[\da-f:]+\]|[^:\s]*)(?::(?<port>\d{1,5}))?$/iu;

/** @throws AssistantError `bad_usage` for what is no address. */
function placeOf(address: string): { readonly host: string; readonly port: number } {
  const [usual = '', usualPort = ''] = DEFAULT_ADDRESS.split(':');
  const { host = '', port = usualPort } = ADDRESS.exec(address)?.groups ?? {};
  const number = Number(port);
  if ((host === '' && !/^:\d/u.test(address)) || number > 65_535)
    throw new AssistantError('bad_usage', `"${address}" is no address of a door.`, {
      hint: `Give HOST:PORT, such as ${DEFAULT_ADDRESS}.`,
    });
  return { host: host.replace(/^\[|\]$/gu, '') || usual, port: number };
}
