/** The rooms of the page, in the order of the navigation. */
export const ROOMS = ['today', 'chat', 'schedule', 'documents', 'memory', 'devices', 'settings'] as const;
export type Room = (typeof ROOMS)[number];

/** Where the page is. */
export interface Place {
  readonly room: Room | 'pair';
  /** Behind the room: a conversation. */
  readonly id: string | undefined;
  readonly query: URLSearchParams;
}

export function placeOf({ pathname, search }: Pick<URL, 'pathname' | 'search'>): Place {
  const [, room = '', id] = pathname.split('/');
  const known = room === 'pair' ? room : (ROOMS.find((each) => each === room) ?? 'today');
  return {
    room: known,
    id: id === undefined || id === '' ? undefined : decodeURIComponent(id),
    query: new URLSearchParams(search),
  };
}

/** Tells that the page is somewhere else. */
export const MOVED = 'wooster-moved';

/** Go there without loading the page anew. @param replace  "back" does not come here. */
export function go(path: string, { replace = false } = {}): void {
  if (replace) history.replaceState(null, '', path);
  else history.pushState(null, '', path);
  dispatchEvent(new Event(MOVED));
}

/** Clicks on links of the page move within it. */
export function followLinks(): void {
  addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (!link || !isPlain || link.target !== '' || link.origin !== location.origin || link.hash !== '') return;
    event.preventDefault();
    go(link.pathname + link.search);
  });
  addEventListener('popstate', () => dispatchEvent(new Event(MOVED)));
}
