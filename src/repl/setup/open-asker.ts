import type { CommandCall } from '../command.ts';
import { isPlain, lookOf } from '../screen.ts';
import type { Asker } from './asker.ts';
import { lineAsker, nobody } from './line-asker.ts';

/**
 * Menus where they can be drawn, numbers for screen readers; nobody where no person is.
 *
 * @param isAnswered  the flags say everything.
 */
export async function openAsker({ out, session, flags }: CommandCall, isAnswered: boolean): Promise<Asker> {
  const { stdin, stdout, env } = process;
  if (session.json || isAnswered || !stdin.isTTY || !stdout.isTTY) return nobody(out);
  if (!lookOf(stdout, env, flags.plain === true || isPlain(env)).live) return lineAsker(out);
  const { clackAsker } = await import('./clack-asker.ts');
  return clackAsker();
}
