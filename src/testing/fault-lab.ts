import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { effectsOf } from '../tools/gate/effect-rows.ts';
import { act, LOCAL_EFFECTS, type LocalEffect, prepared } from './local-effects.ts';
import { openTestStore } from './stores.ts';
import { type UndoWorld, undoWorld } from './undo-world.ts';

/** `kill`: nothing works from this write on; `full`: no write does; `eio`: this one write fails. */
export const FAULTS = ['kill', 'full', 'eio'] as const;
export type Fault = (typeof FAULTS)[number];

/** What one faulty call came to. */
export interface FaultRun {
  readonly effect: string;
  readonly fault: Fault;
  /** At which write of the call, of the file system or the database. */
  readonly write: number;
  /** What is wrong; empty: the promise was kept. */
  readonly broken: readonly ('lost' | 'doubled' | 'hidden' | 'hang')[];
  /** The outcome was unknown, and the person was told. */
  readonly unknown: boolean;
}

const WRITES = /^\s*(?:with\b.*?\b)?(?:insert|update|delete|begin|commit)\b/isu;
const LONGEST_MS = 20_000;

/** Make one call fail at each of its writes in turn, and look what became of it. @param every tries only each nth. */
export async function tryEffect(title: string, fault: Fault, every = 1): Promise<FaultRun[]> {
  const effect = LOCAL_EFFECTS[title];
  if (!effect) throw new Error(`there is no effect "${title}"`);
  const runs: FaultRun[] = [];
  for (let write = 1; ; write += every) {
    const { over, ...run } = await tryAt(effect, fault, write);
    if (over) return runs;
    runs.push({ effect: title, fault, write, ...run });
  }
}

async function tryAt(effect: LocalEffect, fault: Fault, write: number) {
  const dir = fs.mkdtempSync(join(tmpdir(), 'wooster-fault-'));
  try {
    const path = join(dir, 'w.sqlite3');
    const first = await open(path, dir);
    const input = await prepared(first, effect);
    const before = await stateOf(first);
    await first.store.close();
    const faulty = await callWith({ effect, input, path, dir }, fault, write);
    const again = await open(path, dir);
    try {
      const judged = await judge(again, { effect, input, before, confirmed: faulty.confirmed });
      return { over: faulty.writes < write, ...judged, broken: faulty.hung ? (['hang'] as const) : judged.broken };
    } finally {
      await again.store.close();
    }
  } finally {
    fs.rmSync(dir, { recursive: true, force: true });
  }
}

interface Called {
  readonly effect: LocalEffect;
  readonly input: unknown;
  readonly path: string;
  readonly dir: string;
}

/** Make the call in a world where the given write fails. */
async function callWith({ effect, input, path, dir }: Called, fault: Fault, write: number) {
  const injector = new Injector(fault, write);
  const store = await openTestStore(path, {
    kind: 'sqlite',
    beforeStatement: (sql) => {
      if (WRITES.test(sql)) injector.hit('sqlite');
    },
  });
  const world = undoWorld(store, dir);
  const restore = patchFileSystem(dir, injector);
  injector.armed = true;
  let hung = false;
  let timer: NodeJS.Timeout | undefined;
  try {
    const late = new Promise<undefined>((done) => {
      timer = setTimeout(() => {
        hung = true;
        done(undefined);
      }, LONGEST_MS);
    });
    const result = await Promise.race([act(world, effect, input).catch(() => undefined), late]);
    // Whoever is killed tells nobody.
    const died = fault === 'kill' && injector.writes >= write;
    return { confirmed: !died && result?.ok === true, writes: injector.writes, hung };
  } finally {
    clearTimeout(timer);
    injector.armed = false;
    restore();
    await store.close();
  }
}

/** Counts writes, and fails the one that it is for. */
class Injector {
  armed = false;
  writes = 0;
  readonly #fault: Fault;
  readonly #at: number;

  constructor(fault: Fault, at: number) {
    this.#fault = fault;
    this.#at = at;
  }

  hit(by: 'sqlite' | 'system'): void {
    if (!this.armed) return;
    this.writes++;
    const fails = this.#fault === 'eio' ? this.writes === this.#at : this.writes >= this.#at;
    if (fails) throw this.#error(by);
  }

  #error(by: 'sqlite' | 'system'): Error {
    if (this.#fault === 'kill') return new Error('killed');
    const full = this.#fault === 'full';
    if (by === 'system')
      return Object.assign(new Error(full ? 'ENOSPC: no space left' : 'EIO: i/o error'), {
        code: full ? 'ENOSPC' : 'EIO',
      });
    return Object.assign(new Error(full ? 'database or disk is full' : 'disk I/O error'), {
      code: 'ERR_SQLITE_ERROR',
      errcode: full ? 13 : 10,
    });
  }
}

const PROMISED = ['open', 'rename', 'rm', 'mkdir', 'copyFile', 'writeFile', 'appendFile', 'unlink'] as const;
const SYNC = [
  'renameSync',
  'rmSync',
  'mkdirSync',
  'copyFileSync',
  'writeFileSync',
  'appendFileSync',
  'unlinkSync',
] as const;

/** Let what changes files below a folder pass the injector first. @returns what undoes that. */
function patchFileSystem(dir: string, injector: Injector): () => void {
  const undo: (() => void)[] = [];
  const patch = (object: object, names: readonly string[]) => {
    for (const name of names) {
      const original = Reflect.get(object, name) as (...given: unknown[]) => unknown;
      const changed = (...given: unknown[]) => {
        const only = name === 'open' && isReading(given[1]);
        if (String(given[0]).startsWith(dir) && !only) injector.hit('system');
        return original(...given);
      };
      // What gives promises fails with one.
      const isPromised = object === fs.promises;
      Reflect.set(object, name, isPromised ? async (...given: unknown[]) => changed(...given) : changed);
      undo.push(() => void Reflect.set(object, name, original));
    }
  };
  patch(fs.promises, PROMISED);
  patch(fs, SYNC);
  syncBuiltinESMExports();
  return () => {
    for (const each of undo) each();
    syncBuiltinESMExports();
  };
}

function isReading(flags: unknown): boolean {
  if (typeof flags === 'number') return (flags & (fs.constants.O_WRONLY | fs.constants.O_RDWR)) === 0;
  return flags === undefined || flags === 'r';
}

interface Judged {
  readonly effect: LocalEffect;
  readonly input: unknown;
  readonly before: string;
  readonly confirmed: boolean;
}

/** After a restart: is what was confirmed there, does the record tell the truth, and is it done once when resumed? */
async function judge(world: UndoWorld, { effect, input, before, confirmed }: Judged) {
  const broken: FaultRun['broken'][number][] = [];
  const unknown = (await world.cutOff.settle(await world.cutOff.begun())).length > 0;
  const after = await stateOf(world);
  const acted = after !== before;
  const [row] = (await effectsOf(world.store, 'turn_1')).filter(({ tool }) => tool === effect.name);
  if (confirmed && !acted) broken.push('lost');
  // What the record says of a call whose outcome is told as unknown is right either way.
  if (!unknown && (row?.state === 'done') !== acted) broken.push('hidden');
  await act(world, effect, input).catch(() => undefined);
  const resumed = await stateOf(world);
  if ((acted || unknown) && resumed !== after) broken.push('doubled');
  if (!acted && !unknown && resumed === before) broken.push('lost');
  return { broken, unknown };
}

async function open(path: string, dir: string): Promise<UndoWorld> {
  return undoWorld(await openTestStore(path, { kind: 'sqlite' }), dir);
}

/** Everything in the world; drafts that were cut off are no file of anybody. */
async function stateOf(world: UndoWorld): Promise<string> {
  const { files, ...rest } = (await world.everything()) as { files: Record<string, string> };
  const real = Object.entries(files).filter(([name]) => !/(?:^|\/)\.draft/u.test(name));
  return JSON.stringify({ files: real, ...rest });
}
