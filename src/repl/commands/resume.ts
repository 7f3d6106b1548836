import { preview } from '../../base/text.ts';
import { MODES } from '../../base/turn.ts';
import type { Command, CommandCall } from '../command.ts';

/** Messages shown when a conversation is resumed. */
const RECENT_LINES = 6;

/**
 * Makes a past conversation the current one, in its project, and continues the request that was interrupted there. Who
 * names no conversation is asked first, if they can be.
 */
export const resume: Command = {
  name: 'resume',
  summary: 'Continue a past conversation, or an interrupted request',
  group: 'Conversations',
  usage: ['resume', 'resume ID'],
  examples: ['resume', 'resume turn_1a2b3c'],
  basic: true,
  async run(call) {
    const id = call.args[0] ?? (await choose(call));
    if (id === undefined) {
      call.out.line('No conversations yet.');
      return 1;
    }
    const { title, project } = await call.app.turns.archive.get(id);
    call.session.conversationId = id;
    call.session.project = project;
    call.out.line(`Conversation ${id}: ${title ?? ''}`);
    await showLast(call, id);
    return goOn(call, id, call.args[0] !== undefined);
  },
};

/** Choose from a list; with nobody to ask, take the one that was interrupted, else the newest. */
async function choose({ app, out }: CommandCall): Promise<string | undefined> {
  const listed = await app.turns.archive.list({ limit: 9 });
  const newest = (await app.turns.archive.interrupted(1))[0]?.conversation_id ?? listed[0]?.id;
  if (listed.length < 2) return newest;
  for (const [index, each] of listed.entries()) out.line(`${index + 1}  ${each.title} [${each.status}]`);
  const answer = await out.ask('Which one? (number; Enter for the newest) ');
  return listed[Number(answer?.trim()) - 1]?.id ?? newest;
}

async function showLast({ app, out }: CommandCall, id: string): Promise<void> {
  const spoken = (await app.turns.archive.messages(id)).filter(({ kind }) => kind === 'text' || kind === 'answer');
  for (const { role, content } of spoken.slice(-RECENT_LINES)) {
    out.line(`  ${role === 'user' ? 'You' : 'Wooster'}: ${preview(content, 160)}`);
  }
}

/** Continue an interrupted request. It keeps its turn id, so completed effects are not repeated. */
async function goOn(call: CommandCall, id: string, isNamed: boolean): Promise<number> {
  const turn = await call.app.turns.archive.interruptedIn(id);
  if (!turn) {
    if (await call.app.turns.archive.isCutOff(id))
      call.out.line('The last answer was cut off. Say "go on" to have the rest.');
    return 0;
  }
  call.out.row({ interrupted: turn.id, conversationId: id, text: turn.text });
  const question = `"${preview(turn.text, 80)}" was interrupted. Continue it? (Y/n) `;
  const answer = isNamed || call.session.yes ? 'y' : await call.out.ask(question);
  if (answer !== undefined && /^n/iu.test(answer.trim())) return 0;
  call.session.mode = MODES.find((mode) => mode === turn.mode) ?? call.session.mode;
  return call.ask(turn.text, { turnId: turn.id });
}
