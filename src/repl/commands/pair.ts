import type { DoorDevice } from '../../face/doors.ts';
import { localTime } from '../../when/calendar.ts';
import type { Command, CommandCall } from '../command.ts';
import { badUsage, textFlag } from '../flags.ts';
import { unknownForm } from '../own-words.ts';

/** Rows: `{link, code, scopes, expiresAt}`; with `--token` `{id, token, scopes}`, which is shown once. */
export const pair: Command = {
  name: 'pair',
  summary: 'Let a browser or a program in over HTTP; it acts as you',
  group: 'Tools and approvals',
  usage: [
    'pair [--name NAME]                          a link for one browser, good for ten minutes',
    'pair --token --name NAME --scopes api,read  a token for a program: page, api, approve, openai, mcp, read',
  ],
  examples: ['pair --name phone', 'pair --token --name "Open WebUI" --scopes openai'],
  flags: { token: { type: 'boolean' }, name: { type: 'string' }, scopes: { type: 'string' } },
  run: (call) => (call.flags.token === true ? token(call) : link(call)),
};

async function link({ app, out, flags }: CommandCall): Promise<number> {
  const { code, scopes, expiresAt } = await (await app.doors.devices()).pair(textFlag(flags, 'name'));
  const { url, isOpen } = await app.doors.http();
  const address = `${url}/pair#${code}`;
  out.row({ link: address, code, scopes, expiresAt });
  out.line(`Open ${address} in the browser that you want to let in, or type the code ${code} there.`);
  const until = localTime(new Date(expiresAt), app.home.timeZone).slice(11, 16);
  out.line(`It is good once, until ${until}. Who opens it acts as you.`);
  if (!isOpen) out.note('Nobody answers there yet. Run: wooster serve --http');
  return 0;
}

async function token({ app, out, flags }: CommandCall): Promise<number> {
  const [name, scopes] = [textFlag(flags, 'name'), textFlag(flags, 'scopes')];
  if (name === undefined || scopes === undefined)
    throw badUsage('A token needs a name and scopes.', 'Usage: pair --token --name NAME --scopes api,read');
  const wanted = scopes
    .split(',')
    .map((scope) => scope.trim())
    .filter(Boolean);
  const { device, token: secret } = await (await app.doors.devices()).issue(name, wanted);
  out.row({ id: device.id, token: secret, scopes: device.scopes });
  out.line(`${secret}\nThat is the token of "${device.name}", shown this once. Whoever has it acts as you.`);
  return 0;
}

/** Rows: `{id, name, kind, scopes, createdAt, seenAt, revokedAt}`. */
export const devices: Command = {
  name: 'devices',
  summary: 'List what may enter over HTTP, or shut one out',
  group: 'Tools and approvals',
  usage: ['devices', 'devices revoke ID'],
  examples: ['devices'],
  async run(call) {
    const [form = 'list', id] = call.args;
    if (form === 'list') return list(call);
    if (form !== 'revoke') throw unknownForm(devices, form);
    if (id === undefined) throw badUsage('devices revoke needs a device.', 'Usage: devices revoke ID');
    await (await call.app.doors.devices()).revoke(id);
    call.out.show({ revoked: id }, `${id} may not enter any more.`);
    return 0;
  },
};

async function list({ app, out }: CommandCall): Promise<number> {
  const all = await (await app.doors.devices()).list();
  for (const each of all) out.show(each, deviceLine(each, app.home.timeZone));
  if (all.length === 0) out.line('Nothing may enter yet. "pair" lets a browser in.');
  return 0;
}

function deviceLine({ id, name, kind, scopes, seenAt, revokedAt }: DoorDevice, timeZone: string): string {
  const seen = seenAt === null ? 'never seen' : `seen ${localTime(new Date(seenAt), timeZone).slice(0, 16)}`;
  return `${id}  ${name} (${kind}: ${scopes.join(', ')}), ${revokedAt === null ? seen : 'revoked'}`;
}
