import { type Context, Hono } from 'hono';
import type { Entered } from './entry.ts';
import { loadPage, type PageFile, type PageFiles } from './page-files.ts';

/** The rooms of the page; each may be opened, and loaded anew, by its own address. */
const PATHS = ['/today', '/chat', '/chat/:id', '/schedule', '/documents', '/memory', '/devices', '/settings', '/pair'];

/**
 * Only what this door itself sends may run, be shown or be asked, and no text becomes markup or a script. The one
 * policy is for the address of the service worker.
 */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  ...['script', 'style', 'connect', 'manifest'].map((kind) => `${kind}-src 'self'`),
  // Pictures of documents, which the page asks for itself.
  "img-src 'self' blob:",
  ...['base-uri', 'form-action', 'frame-ancestors'].map((kind) => `${kind} 'none'`),
  "require-trusted-types-for 'script'",
  'trusted-types sw',
].join('; ');
const YEAR_S = 31_536_000;

/** The page itself: nothing of the owner's is in it, so whoever reaches the door may load it. */
export function pageRoutes(load: () => Promise<PageFiles> = loadPage): Hono<Entered> {
  let loading: Promise<PageFiles> | undefined;
  const file = async (path: string) => {
    loading ??= load();
    // What failed once, like a build in a full disk, is tried again.
    loading.catch(() => (loading = undefined));
    return (await loading).get(path);
  };
  const routes = new Hono<Entered>().get('/', (c) => c.redirect('/today'));
  for (const path of PATHS) routes.get(path, async (c) => sent(c, await file('index.html'), 0));
  routes.get('/assets/:name', async (c) => sent(c, await file(`assets/${c.req.param('name')}`), YEAR_S));
  return routes.get('/:name{[a-z0-9-]+\\.(?:js|svg|png|webmanifest)}', async (c) =>
    sent(c, await file(c.req.param('name')), 0),
  );
}

function sent(c: Context, file: PageFile | undefined, maxAgeS: number): Response | Promise<Response> {
  if (!file) return c.notFound();
  const zipped = /\bgzip\b/u.test(c.req.header('accept-encoding') ?? '') ? file.zipped : undefined;
  return c.body(zipped ?? file.body, 200, {
    'content-type': file.type,
    'content-security-policy': CONTENT_SECURITY_POLICY,
    'cache-control': maxAgeS > 0 ? `public, max-age=${maxAgeS}, immutable` : 'no-cache',
    vary: 'accept-encoding',
    ...(zipped && { 'content-encoding': 'gzip' }),
  });
}
