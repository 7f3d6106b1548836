import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from 'hono';
import { streamSSE } from 'hono/streaming';
import { messageOf } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import type { App } from '../../face/app.ts';
import { NOTICES_TOPIC, type ShownNotice } from '../../notify/types.ts';
import { RUNS_TOPIC } from '../../scheduler/due.ts';
import type { Device, Devices } from './devices.ts';
import type { TurnHub } from './turn-hub.ts';

/** A page that hears nothing for twice this long takes its connection for dead. */
const ALIVE_MS = 15_000;
/** A page that does not say within this time that it has shown a notice is not there. */
const SHOWN_MS = 8000;
/** What changes together is told once. */
const CHANGED_MS = 200;

interface OpenFace {
  active(): void;
  close(): Promise<void>;
}

/**
 * The pages that are looked at. The stream of a page is its presence: it is open while the page is visible, and a
 * notice that the page has shown, and said so, is delivered.
 */
export class Pages {
  readonly #app: App;
  readonly #hub: TurnHub;
  readonly #devices: Devices;
  readonly #faces = new Map<string, Set<OpenFace>>();
  readonly #shown = new Map<string, () => void>();

  constructor(app: App, hub: TurnHub, devices: Devices) {
    this.#app = app;
    this.#hub = hub;
    this.#devices = devices;
  }

  /** The page has shown what it was given under this name. */
  shown(name: string): void {
    this.#shown.get(name)?.();
  }

  /** Somebody did something on a page of this device just now. */
  active({ id }: Device): void {
    for (const face of this.#faces.get(id) ?? []) face.active();
  }

  /** Events of turns have ids and a `turnId`; `hello`, `alive`, `changed` and `notices` have none. */
  stream(c: Context, device: Device): Response {
    const after = Number(c.req.header('last-event-id') ?? c.req.query('after') ?? Number.NaN);
    return streamSSE(c, async (stream) => {
      const gone = new AbortController();
      stream.onAbort(() => gone.abort());
      const send = async (data: object, id?: number): Promise<void> => {
        await stream.writeSSE({ data: JSON.stringify(data), ...(id !== undefined && { id: String(id) }) });
      };
      const { last } = this.#hub.range;
      await send({ type: 'hello', ...this.#hub.range });
      const beside = [
        this.#face(device, send, gone),
        this.#alive(device, send, gone),
        this.#changes(send, gone.signal),
      ];
      const from = Number.isSafeInteger(after) && after >= 0 ? after : last;
      const decides = device.scopes.includes('approve') ? device.kind : undefined;
      try {
        for await (const { id, turnId, event } of this.#hub.read(from, {
          turnId: undefined,
          decides,
          signal: gone.signal,
        }))
          await send({ turnId, ...event }, id);
      } finally {
        gone.abort();
        await Promise.all(beside);
      }
    });
  }

  /** Ends with the stream, which it ends where the device may not enter any more. */
  async #alive({ id }: Device, send: (data: object) => Promise<void>, gone: AbortController): Promise<void> {
    const { signal } = gone;
    try {
      while (await sleep(ALIVE_MS, true, { signal, ref: false })) {
        if (!(await this.#devices.mayEnter(id))) break;
        await send({ type: 'alive' });
      }
    } catch {
      // The stream has ended, or cannot be written any more.
    }
    gone.abort();
  }

  async #changes(send: (data: object) => Promise<void>, signal: AbortSignal): Promise<void> {
    const { wake } = this.#app.store;
    let timer: NodeJS.Timeout | undefined;
    const hear = () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        void send({ type: 'changed' }).catch(() => undefined);
      }, CHANGED_MS);
    };
    const unlisten = [NOTICES_TOPIC, RUNS_TOPIC].map((topic) => wake.on(topic, hear));
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      for (const stop of unlisten) stop();
    });
  }

  async #face(device: Device, send: (data: object) => Promise<void>, gone: AbortController): Promise<void> {
    const { notifier } = this.#app.schedule;
    const show = (notices: readonly ShownNotice[]) => this.#show(notices, send, gone);
    try {
      const face = await notifier.notices.openFace({ kind: 'page', runsJobs: true, show });
      const ofDevice = this.#faces.get(device.id) ?? new Set();
      this.#faces.set(device.id, ofDevice.add(face));
      const end = async () => {
        ofDevice.delete(face);
        await face.close();
      };
      if (gone.signal.aborted) return await end();
      gone.signal.addEventListener('abort', () => void end());
    } catch (error) {
      this.#app.home.log.warn('a page is not seen as present', { error: messageOf(error) });
    }
  }

  /** @throws Error when the page does not say that it has shown them, which ends its stream. */
  async #show(notices: readonly ShownNotice[], send: (data: object) => Promise<void>, gone: AbortController) {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    // Nobody may be waiting for it any more.
    promise.catch(() => undefined);
    const name = newId('shown');
    const late = setTimeout(() => reject(new Error('the page did not say that it has shown a notice')), SHOWN_MS);
    const left = () => reject(new Error('the page has gone'));
    gone.signal.addEventListener('abort', left);
    this.#shown.set(name, resolve);
    try {
      if (gone.signal.aborted) left();
      else await send({ type: 'notices', name, notices });
      await promise;
    } catch (error) {
      gone.abort();
      throw error;
    } finally {
      clearTimeout(late);
      gone.signal.removeEventListener('abort', left);
      this.#shown.delete(name);
    }
  }
}
