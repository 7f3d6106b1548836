import { isRecord } from '../../base/json.ts';
import type { DoorHook, HookBegins } from '../../face/doors.ts';
import type { Command, CommandCall } from '../command.ts';
import { badUsage, textFlag } from '../flags.ts';
import { unknownForm } from '../own-words.ts';

/** Rows: `{name, begins, project, createdAt}`; `add` gives `{name, url, secret}`, which is shown once. */
export const hook: Command = {
  name: 'hook',
  summary: 'Let scripts begin something over HTTP, by a signed message',
  group: 'Tools and approvals',
  usage: [
    'hook add NAME --prompt "..."                   ask this, with what the message holds',
    'hook add NAME --program FILE [--body PARAM]    run a ThinkLang program, as it is now',
    'hook add NAME --job ID                         run a job',
    'hook list',
    'hook remove NAME',
  ],
  examples: ['hook add doorbell --prompt "Tell me who rang"', 'hook list'],
  flags: {
    prompt: { type: 'string' },
    program: { type: 'string' },
    body: { type: 'string' },
    job: { type: 'string' },
  },
  async run(call) {
    const [form = 'list', name] = call.args;
    if (form === 'list') return list(call);
    if (form !== 'add' && form !== 'remove') throw unknownForm(hook, form);
    if (name === undefined) throw badUsage('Which hook is meant?', `Usage: hook ${form} NAME`);
    if (form === 'add') return add(call, name);
    await (await call.app.doors.hooks()).remove(name);
    call.out.show({ removed: name }, `${name} is no hook any more.`);
    return 0;
  },
};

async function add(call: CommandCall, name: string): Promise<number> {
  const { app, out, session } = call;
  const { mode, project } = session;
  const { secret } = await (await app.doors.hooks()).add(name, await beginsOf(call), { mode, project });
  const url = `${(await app.doors.http()).url}/hooks/${name}`;
  out.row({ name, url, secret });
  out.line(`${url}\n${secret}\nThat is the secret to sign messages with, shown this once.`);
  return 0;
}

/** @throws AssistantError `bad_usage` unless exactly one thing is to be begun. */
async function beginsOf({ app, flags, session }: CommandCall): Promise<HookBegins> {
  const [prompt, file, job] = [textFlag(flags, 'prompt'), textFlag(flags, 'program'), textFlag(flags, 'job')];
  const param = textFlag(flags, 'body');
  const given = [prompt, file, job].filter((each) => each !== undefined);
  if (given.length !== 1 || (param !== undefined && file === undefined))
    throw badUsage('It is not clear what the hook begins.', `Usage: ${hook.usage.slice(0, 3).join('; ')}`);
  if (prompt !== undefined) return { kind: 'prompt', prompt };
  if (job !== undefined) return { kind: 'job', job };
  const { path, compiled } = await app.tools.programs.load(file ?? '', { ...app.tools, ...session });
  const { properties } = compiled.params;
  if (param !== undefined && !(isRecord(properties) && Object.hasOwn(properties, param)))
    throw badUsage(`${file} has no parameter "${param}".`, 'Declare it in the program, with "param".');
  return { kind: 'program', path, hash: compiled.hash, ...(param !== undefined && { param }) };
}

async function list({ app, out }: CommandCall): Promise<number> {
  const all = await (await app.doors.hooks()).list();
  for (const each of all) out.show(each, `${each.name}  ${told(each)}  (${each.project})`);
  if (all.length === 0) out.line('There are no hooks. "hook add NAME" makes one.');
  return 0;
}

function told({ begins }: DoorHook): string {
  if (begins.kind === 'prompt') return `asks: ${begins.prompt}`;
  return begins.kind === 'job' ? `runs the job ${begins.job}` : `runs ${begins.path}`;
}
