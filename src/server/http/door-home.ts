import { Hono } from 'hono';
import type { App } from '../../face/app.ts';
import type { AskedDoor } from '../../face/doors.ts';
import { openAiRoutes } from '../openai/routes.ts';
import { apiRoutes } from './api.ts';
import { Devices } from './devices.ts';
import type { Entered, Entry } from './entry.ts';
import { EventLog } from './event-log.ts';
import { HomeNews, NO_TURN } from './home-news.ts';
import { Hooks } from './hooks.ts';
import { mcpRoutes } from './mcp-routes.ts';
import { pageApi } from './page-api.ts';
import { answerNothing, answerProblem } from './problem.ts';
import { TurnHub } from './turn-hub.ts';

/** A home as its programs and pages see it through a door. */
export interface DoorHome {
  readonly id: string;
  readonly devices: Devices;
  readonly hooks: Hooks;
  /** Answer a request that has a token of this home, or says so. @param env of the server. */
  answer(request: Request, env: object): Promise<Response>;
  /** Do something for the home, in its context. */
  run<T>(work: () => T): T;
  /** Ends its turns and what is read of it. */
  close(): Promise<void>;
}

export interface DoorHomeParts {
  readonly app: App;
  readonly door: Omit<AskedDoor, 'address'>;
  readonly entry: Omit<Entry, 'devices'>;
  run<T>(work: () => T): T;
}

/** The routes of one home. They know no other: whatever is asked behind them, it is asked of this home. */
export function openDoorHome({ app, door, entry: around, run }: DoorHomeParts): DoorHome {
  const closed = new AbortController();
  const events = new EventLog();
  const hub = new TurnHub(app, events);
  const news = new HomeNews(app, (event) => events.add(NO_TURN, event));
  const devices = new Devices(app.store, { home: app.home.id });
  const entry: Entry = { ...around, devices };
  const parts = { app, hub, news, entry, commands: door.commands, place: { mode: door.mode, project: door.project } };
  const routes = new Hono<Entered>();
  routes.onError((error, c) => answerProblem(error, c, (told) => app.home.log.error('a request failed', told)));
  routes.notFound(answerNothing);
  routes.route('/api', pageApi(parts));
  routes.route('/api', apiRoutes(parts));
  routes.route('/mcp', mcpRoutes(app, door, { entry, signal: closed.signal }));
  routes.route('/v1', openAiRoutes({ app, hub, entry, place: door }));
  return {
    ...{ id: app.home.id, devices, run, hooks: new Hooks({ store: app.store, jobs: app.schedule.jobs }) },
    answer: async (request, env) => run(() => routes.fetch(request, env)),
    close: async () => {
      closed.abort(new Error('the door is closed'));
      await hub.close();
    },
  };
}
