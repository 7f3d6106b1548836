import { type Context, Hono } from 'hono';
import type { App } from '../../face/app.ts';
import type { AskedDoor } from '../../face/doors.ts';
import { type Entered, type Entry, mayEnter, mustBeServed } from './entry.ts';

type Handle = (request: Request) => Promise<Response>;

/**
 * `/mcp`: our tools, documents and prompts for other programs, as `wooster mcp serve` has them, over streamable HTTP.
 * Who may enter is decided before; the SDK checks nothing of that kind.
 *
 * @param signal ends every call.
 */
export function mcpRoutes(
  app: App,
  { served, project }: Pick<AskedDoor, 'served' | 'project'>,
  { entry, signal }: { readonly entry: Entry; readonly signal: AbortSignal },
): Hono<Entered> {
  // What a client has read counts for all of its calls, also of those to the next program: its context may last longer.
  const ofDevice = new Map<string, Promise<Handle>>();
  return new Hono<Entered>().all('/', mayEnter('mcp', entry), async (c: Context<Entered>) => {
    mustBeServed(project, app);
    const { id } = c.get('device');
    const conversation = `conv_${id.replace('dev_', '')}`;
    const handle = ofDevice.get(id) ?? handlerFor(served(conversation, signal), app);
    ofDevice.set(id, handle);
    return (await handle)(c.req.raw);
  });
}

async function handlerFor(served: ReturnType<AskedDoor['served']>, { home }: Pick<App, 'home'>): Promise<Handle> {
  const [sdk, { serverFace }] = await Promise.all([
    import('@modelcontextprotocol/server'),
    import('../../plugins/mcp/serve/server-face.ts'),
  ]);
  const onerror = (error: Error) => home.log.warn('mcp over HTTP', { error: error.message });
  const handler = sdk.createMcpHandler(() => serverFace(served, sdk), { onerror });
  return (request) => handler.fetch(request);
}
