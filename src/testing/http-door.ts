import type { AskedDoor, DoorCommands } from '../face/doors.ts';

/** What a door is given by the command that opens it, of which nothing is needed. */
export function testDoor(commands: Partial<DoorCommands> = {}): Pick<AskedDoor, 'commands' | 'served'> {
  const none = {
    list: [],
    reads: () => undefined,
    run: async () => NOTHING,
    scopeOf: () => undefined,
    complete: async () => undefined,
  };
  const served: AskedDoor['served'] = () => {
    throw new Error('nothing is served');
  };
  return { commands: { ...none, ...commands }, served };
}

/** With what a page asks that was let in by this answer. */
export async function pageHeaders(paired: Response): Promise<{ cookie: string; 'x-wooster-key': string }> {
  const [cookie = ''] = (paired.headers.get('set-cookie') ?? '').split(';');
  return { cookie, 'x-wooster-key': ((await paired.json()) as { key: string }).key };
}

const NOTHING = { code: 0, rows: [], text: '' };
