import type { App, Doors } from '../face/app.ts';

/** Each way in with its packages, loaded when somebody comes. @param app the program, once it is put together. */
export function openDoors(app: () => App): Doors {
  return {
    serveEditor: async (door) => (await import('../server/acp/serve.ts')).serveEditor(app(), door),
    editorOffer: async (session) => (await import('../server/acp/offer.ts')).editorOffer(app(), session),
  };
}
