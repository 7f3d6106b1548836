import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createApp } from '../app.ts';
import { newId } from '../base/ids.ts';
import { NOBODY_TO_ASK } from '../base/turn.ts';
import type { App } from '../face/app.ts';
import { runTurn } from '../face/run-turn.ts';
import { doorCommands } from '../repl/door-commands.ts';
import { openHttp } from '../server/http/serve.ts';
import { loadSettings } from '../settings/settings.ts';
import { testDoor } from './http-door.ts';
import { type Scripted, ScriptedModel, type ScriptedReply } from './scripted-model.ts';
import { mailTool } from './tools.ts';

/** Nothing that stands in one of them may do anything. */
export const ATTACK =
  '<img src=x onerror="window.attacked=1"><script>window.attacked=1</script>[go](javascript:window.attacked=1)';

/** A model that can be stopped in the middle of an answer. */
class PausedModel extends ScriptedModel {
  /** Awaited before each piece of an answer. */
  pause: ((piece: number) => Promise<void> | undefined) | undefined;

  override async *_streamResponseChunks(...args: Parameters<ScriptedModel['_streamResponseChunks']>) {
    let piece = 0;
    for await (const chunk of super._streamResponseChunks(...args)) {
      await this.pause?.(piece);
      piece += 1;
      yield chunk;
    }
  }
}

/** A whole program with its door open, and a home in which much has happened. */
export interface PageHome {
  readonly app: App;
  readonly url: string;
  /** What the model says next; "Very well." when there is nothing. */
  readonly replies: Scripted[];
  readonly model: PausedModel;
  /** The mails that were sent. */
  readonly sent: string[];
  close(): Promise<void>;
}

const BEYOND = 500;

/** @param dir an empty folder. */
export async function openPageHome(dir: string): Promise<PageHome> {
  mkdirSync(join(dir, 'config'));
  const config = {
    routing: { providers: { local: { enabled: false } } },
    models: { use: 'scripted:test' },
    timeZone: 'UTC',
  };
  writeFileSync(join(dir, 'config', 'local.json'), JSON.stringify(config));
  const replies: Scripted[] = [];
  const next: Scripted = async (messages): Promise<string | ScriptedReply> => {
    const reply = replies.shift() ?? 'Very well.';
    return typeof reply === 'function' ? reply(messages) : reply;
  };
  const model = new PausedModel(Array.from({ length: BEYOND }, () => next));
  const sent: string[] = [];
  const frontend = { announce: () => {}, verbose: false };
  const app = await createApp(loadSettings(dir, {}, { alone: true }), frontend, { tools: [mailTool(sent)] });
  app.models.registerProvider('scripted', async () => model);
  const place = { host: '127.0.0.1', port: 0, names: [], proxies: [], mode: 'classic_tools', project: 'home' } as const;
  const door = await openHttp(app, { ...place, ...testDoor(doorCommands(app)) });
  const close = async () => {
    await door.close();
    await app.close();
  };
  return { app, url: door.url, replies, model, sent, close };
}

/** 200 jobs, 50 documents, a list and 30 conversations, with an attack in a title, a document's name and an answer. */
export async function fillHome({ app, replies }: PageHome): Promise<void> {
  const { jobs } = app.schedule;
  const plan = (when: string, prompt: string) =>
    jobs.add({ when, prompt, project: 'home', untrusted: false, options: { verbatim: true } });
  for (let at = 0; at < 199; at += 1)
    await plan(`every ${laterDay(at)} at ${at % 24}:${10 + (at % 50)}`, `Job ${at}: ${CHORES[at % CHORES.length]}`);
  await plan(`every ${laterDay(0)} at 7`, ATTACK);
  const folder = app.knowledge.projects.folder('home');
  mkdirSync(join(folder, 'papers'), { recursive: true });
  mkdirSync(join(folder, 'lists'), { recursive: true });
  writeFileSync(join(folder, 'lists', 'shopping.md'), '# shopping\n\n- [ ] milk\n- [ ] bread\n- [x] eggs\n');
  for (let at = 0; at < 49; at += 1) writeFileSync(join(folder, 'papers', `paper-${at}.md`), paper(at));
  writeFileSync(
    join(folder, 'papers', `${ATTACK.replaceAll('/', '_')}.md`),
    '# Attack\n\nAn ordinary text in a file of an odd name.\n',
  );
  await app.knowledge.documents.ingest('home', [join(folder, 'papers')], { signal: AbortSignal.timeout(60_000) });
  for (let at = 0; at < 30; at += 1) await converse(app, replies, at);
}

const CHORES = ['water the plants', 'take the bins out', 'call the dentist', 'read the meter', 'pay the rent'];

/** A day of the week that is neither today nor tomorrow: no job is due at whatever hour the tests run. */
function laterDay(at: number): string {
  const day = new Date(Date.now() + (2 + (at % 5)) * 86_400_000);
  return day.toLocaleDateString('en', { weekday: 'long', timeZone: 'UTC' });
}

function paper(at: number): string {
  const lines = Array.from(
    { length: 60 },
    (_, line) => `Line ${line + 1} of paper ${at}: the boiler ${at} was serviced in week ${line}.`,
  );
  return `# Paper ${at}\n\n${lines.join('\n')}\n`;
}

async function converse(app: App, replies: Scripted[], at: number): Promise<void> {
  const conversationId = newId('conv');
  const context = {
    signal: AbortSignal.timeout(30_000),
    now: () => new Date(),
    timeZone: 'UTC',
    show: () => {},
    approve: async () => NOBODY_TO_ASK,
  };
  const rounds = at === 0 ? 20 : 2;
  for (let round = 0; round < rounds; round += 1) {
    replies.push(
      `Answer ${round} of talk ${at}.\n\n- one\n- two\n\nSee [papers/paper-${at}.md, lines 3-9].${at === 1 ? ATTACK : ''}`,
    );
    const turn = {
      text: `Question ${round} of talk ${at}`,
      conversationId,
      project: 'home',
      mode: 'classic_tools',
      origin: 'repl',
    } as const;
    await runTurn(app, { id: newId('turn'), ...turn }, context);
  }
}
