import { counted } from '../../base/text.ts';
import type { MemoryFile } from '../../plugins/memory/memory-files.ts';
import { actAsOwner } from '../../tools/gate/owner-effect.ts';
import { localDate } from '../../when/calendar.ts';
import type { Command, CommandCall } from '../command.ts';
import { badUsage } from '../flags.ts';
import { formOf } from '../own-words.ts';

/**
 * What Wooster knows about its owner, in `memory.md` of the home and of the project. Rows: `{file, text, date, source,
 * used}` for each fact, `{file, line, problem}` for lines that say nothing to it; `add` and `forget` say what they did.
 */
export const memory: Command = {
  name: 'memory',
  summary: 'Show, add and forget what Wooster knows about you',
  group: 'Conversations',
  usage: [
    'memory [list]',
    'memory add TEXT [--here]      with --here for this project only',
    'memory forget TEXT            the whole fact, or words that only it has',
    'memory search TEXT',
    'memory on|off                 for this project',
  ],
  examples: ['memory add "I live in Galway"', 'memory search tea', 'memory forget "I live in Galway"'],
  basic: true,
  flags: { here: { type: 'boolean' } },
  async run(call) {
    const [what = 'list', ...rest] = call.args;
    const text = rest.join(' ').trim();
    if (what === 'list' && text === '') return list(call);
    if (what === 'on' || what === 'off') return turn(call, what === 'on');
    const action = formOf(memory, { add, forget, search }, what);
    if (text === '') throw badUsage(`memory ${what} needs a text.`, `Usage: ${memory.usage.join(' | ')}`);
    return action(call, text);
  },
};

async function list({ app, session, out }: CommandCall): Promise<number> {
  const files = await app.knowledge.memory.files(session.project);
  const isOn = app.knowledge.memory.isOn(session.project);
  const told = new Set(
    (await app.knowledge.memory.facts(session.project)).map(({ scope, text }) => `${scope} ${text}`),
  );
  for (const file of files) {
    out.line(`${file.path}:`);
    for (const { text, date, source, outside } of file.entries) {
      const used = !outside && told.has(`${file.scope} ${text}`);
      out.row({ file: file.path, text, date, source, used });
      out.line(`- ${text}${date === undefined ? '' : `  (${[date, source].filter(Boolean).join(', ')})`}`);
      if (outside)
        out.note(`  in no prompt: nobody saw it before it was kept. Delete "outside" there, and it is yours.`);
      else if (isOn && !used) out.note(`  not used in ${session.project}, whose own facts say otherwise.`);
    }
    tellProblems(file, { out });
  }
  const count = files.reduce((sum, { entries }) => sum + entries.length, 0);
  if (count === 0) out.line('Nothing is remembered yet. wooster memory add "I live in Galway" adds a fact.');
  if (!isOn) out.line(`Memory is off in the project ${session.project}: nothing of this is used.`);
  return 0;
}

function tellProblems({ path, problems, unused }: MemoryFile, { out }: Pick<CommandCall, 'out'>): void {
  if (unused !== undefined) {
    out.row({ file: path, problem: unused });
    out.note(`${path} is not used: ${unused}.`);
  }
  for (const { line, why } of problems) {
    out.row({ file: path, line, problem: why });
    out.note(`${path}, line ${line} says nothing to Wooster: ${why}.`);
  }
}

async function add({ app, session, flags, out }: CommandCall, text: string): Promise<number> {
  const now = () => new Date();
  const own = flags.here === true;
  const fact = { text, own, project: session.project, date: localDate(now(), app.home.timeZone), source: 'you' };
  const call = { tool: 'remember', input: { text, ...(own && { project: own }) }, change: 'append' } as const;
  const done = await actAsOwner({ store: app.store, now }, call, (by) => app.knowledge.memory.remember(fact, by));
  out.row(done);
  if (done.known) out.line(`That is known already: ${done.remembered}`);
  else out.line(`Remembered in ${done.file}: ${done.remembered}`);
  for (const old of done.replaced) out.line(`Instead of: ${old}`);
  return 0;
}

async function forget({ app, session, out }: CommandCall, text: string): Promise<number> {
  const call = { tool: 'forget_memory', input: { text }, change: 'delete' } as const;
  const done = await actAsOwner({ store: app.store, now: () => new Date() }, call, (by) =>
    app.knowledge.memory.forget(text, session.project, by),
  );
  out.row(done);
  for (const gone of done.forgotten) out.line(`Forgotten: ${gone}`);
  if (done.matches.length > 0) out.line(`${counted(done.matches.length, 'fact')} fit; nothing was forgotten:`);
  for (const match of done.matches) out.line(`- ${match}`);
  if (done.forgotten.length + done.matches.length === 0) out.line('No such fact is remembered.');
  return done.forgotten.length > 0 ? 0 : 1;
}

async function search({ app, session, out }: CommandCall, text: string): Promise<number> {
  const found = await app.knowledge.memory.search(text, session.project);
  for (const { text: fact, date, source, fit } of found) out.show({ text: fact, date, source, fit }, `- ${fact}`);
  if (found.length === 0) out.line('Nothing about that is remembered.');
  return 0;
}

async function turn({ app, session, out }: CommandCall, on: boolean): Promise<number> {
  await app.knowledge.memory.turn(session.project, on);
  const state = on ? 'on' : 'off: nothing is remembered there, and nothing of it is used';
  out.show({ project: session.project, memory: on }, `Memory in the project ${session.project} is ${state}.`);
  return 0;
}
