/** Keeps the page itself, so that it opens without a connection too. Of its owner nothing is kept: `/api` passes. */

interface WorkerEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}

interface Fetching extends WorkerEvent {
  readonly request: Request;
  respondWith(response: Promise<Response>): void;
}

const CACHE = 'page';
const SHELL = '/today';

const worker = self as unknown as { skipWaiting(): Promise<void>; clients: { claim(): Promise<void> } };

addEventListener('install', (event) => (event as WorkerEvent).waitUntil(worker.skipWaiting()));
addEventListener('activate', (event) => (event as WorkerEvent).waitUntil(worker.clients.claim()));

addEventListener('fetch', (event) => {
  const { request } = event as Fetching;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== location.origin || pathname.startsWith('/api/')) return;
  if (request.mode === 'navigate') (event as Fetching).respondWith(navigated(request));
  else if (pathname.startsWith('/assets/')) (event as Fetching).respondWith(unchanging(request));
});

/** The newest page where there is a connection; all of its addresses are the same file. */
async function navigated(request: Request): Promise<Response> {
  const cache = await caches.open(CACHE);
  try {
    const response = await fetch(request);
    if (response.ok) await cache.put(SHELL, response.clone());
    return response;
  } catch (error) {
    const kept = await cache.match(SHELL);
    if (kept) return kept;
    throw error;
  }
}

/** A name with a hash always has the same content; those of older pages go when a new one comes. */
async function unchanging(request: Request): Promise<Response> {
  const cache = await caches.open(CACHE);
  const kept = await cache.match(request);
  if (kept) return kept;
  const response = await fetch(request);
  if (!response.ok) return response;
  await cache.put(request, response.clone());
  const kind = (url: string) => new URL(url).pathname.replace(/-[^-]*$/u, '');
  for (const old of await cache.keys())
    if (kind(old.url) === kind(request.url) && old.url !== request.url) await cache.delete(old);
  return response;
}

export {};
