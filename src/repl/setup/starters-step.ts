import { installStarters, starterNames } from '../../lang/programs/starters.ts';
import type { CommandCall } from '../command.ts';
import type { Asker } from './asker.ts';

/** What the owner agrees to: it holds for each of the programs as it comes along. */
export async function startersQuestion(): Promise<string> {
  const names = await starterNames();
  const what = `${names.length} programs to start from (${names.join(', ')})`;
  return `Install ${what}? They read your notes, lists, agenda and documents, change nothing, and are on at your yes.`;
}

/** Offers the programs that come along, once: whoever has programs knows what they are. */
export async function startersStep(call: CommandCall, asker: Asker): Promise<() => Promise<number>> {
  const { app, flags, session } = call;
  const isAsked = flags.programs === true;
  const isNew = isAsked || (await app.tools.programs.folders.files(session.project)).length === 0;
  const wanted = isAsked || (isNew && asker.interactive && (await asker.yes(await startersQuestion())));
  return async () => (wanted ? installPrograms(call, (text) => asker.say(text)) : 0);
}

/** Install the programs that come along. Row: `{programs}`. @returns the exit code. */
export async function installPrograms(call: CommandCall, say: (text: string) => void): Promise<number> {
  const { app, out, session } = call;
  const { programs } = app.tools;
  const installed = await installStarters(programs, { ...app.tools, ...session });
  out.row({ programs: installed });
  const named = (state: (typeof installed)[number]['state']) =>
    installed.filter((each) => each.state === state).map(({ name }) => name);
  const [on, kept] = [named('on'), named('kept')];
  if (on.length > 0) say(`On, in ${programs.folders.home}: ${on.join(', ')}. Try: wooster ask "run ${on.at(-1)}"`);
  if (kept.length > 0) say(`You have programs of these names, which stay as they are: ${kept.join(', ')}.`);
  return 0;
}
