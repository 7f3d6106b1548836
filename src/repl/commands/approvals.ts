import type { Approver } from '../../agent/approved-calls.ts';
import { AssistantError } from '../../base/errors.ts';
import { counted, preview } from '../../base/text.ts';
import { visible } from '../../base/visible-characters.ts';
import { NOT_RUN } from '../../face/not-run.ts';
import { approvalCode } from '../../scheduler/approval-code.ts';
import { ApprovalRules } from '../../tools/gate/approvals.ts';
import { aboutOf, type Proposal, placeOf } from '../../tools/gate/proposals.ts';
import { showWall } from '../../when/zone.ts';
import type { Command, CommandCall, Output } from '../command.ts';
import { badUsage } from '../flags.ts';
import { unknownForm } from '../own-words.ts';
import { questionText } from '../question.ts';

/**
 * The calls that wait for approval, standing approvals (`always` at the prompt), and those that a rehearsal gave a job
 * (`schedule rehearse --pin`), then jobs that could be frozen. Rows: `{id, kind, tool, input, destination, reason,
 * createdAt, expiresAt, state}`, and `{job, prompt, tools, destinations}` too for a job; `approve` has `{id, outcome,
 * result}`, `deny` `{id, denied}`.
 */
export const approvals: Command = {
  name: 'approvals',
  summary: 'Approve or deny the calls that wait, and list standing approvals',
  group: 'Tools and approvals',
  usage: [
    'approvals [list]',
    'approvals approve ID        run a call that waits, once',
    'approvals approve JOB@CODE  a restricted job, as "approve JOB" shows it, may act from now on',
    'approvals deny ID           drop a call that waits',
    'approvals deny ID --turn    drop all calls of the turn that made it',
    'approvals forget TOOL DESTINATION',
    'approvals forget JOB        what a rehearsal approved',
  ],
  examples: ['approvals', 'approvals approve prop_1a2b3c', 'approvals forget fetch_text example.org'],
  flags: { turn: { type: 'boolean' } },
  aliases: { approve: ['approve'], deny: ['deny'] },
  basic: true,
  async run(call) {
    const [form = 'list', ...given] = call.args;
    if (form === 'list') return await list(call);
    if (form === 'forget') return await forget(call, given);
    if (form !== 'approve' && form !== 'deny') throw unknownForm(approvals, form);
    const [id, ...rest] = given;
    if (id === undefined || rest.length > 0) {
      throw badUsage('It is not clear which call you mean.', `Usage: ${form} ID; "approvals" lists what waits.`);
    }
    if (form === 'deny') return await deny(call, id);
    return id.startsWith('job_') ? await approveJob(call, id) : await approveCall(call, id);
  },
};

async function forget(call: CommandCall, [what, destination]: readonly string[]): Promise<number> {
  const { out } = call;
  if (what === undefined) throw unclear();
  if (destination === undefined) return await forgetPin(call, what);
  const forgotten = await rulesOf(call).forget(what, destination);
  out.row({ tool: what, destination, forgotten });
  out.line(forgotten ? `${what} to ${destination} needs approval again.` : 'There is no such approval.');
  return forgotten ? 0 : 1;
}

function rulesOf({ app }: CommandCall): ApprovalRules {
  return new ApprovalRules(app.store, () => new Date());
}

/** Waiting calls first, then standing approvals; one row each. */
async function list(call: CommandCall): Promise<number> {
  const { app, out, signal } = call;
  const proposals = await app.tools.proposals.list();
  for (const proposal of proposals) out.show(proposalRow(proposal), proposalLine(proposal, app.home.timeZone));
  const rules = await rulesOf(call).list();
  for (const rule of rules) out.show({ ...NO_CALL, ...rule, kind: 'rule' }, `${rule.tool} ${rule.destination}`);
  const pinned = await app.schedule.jobs.named(await app.schedule.jobs.ids({ finished: true, pinned: true }));
  for (const { id, prompt, pin } of pinned) {
    const [tools, places] = [pin?.tools ?? [], pin?.destinations ?? []];
    const about = { tool: tools.join(', '), destination: places.join(', ') || null, reason: 'a rehearsal of the job' };
    const row = { ...NO_CALL, ...about, kind: 'pin', id, job: id, prompt, ...pin };
    const where = places.length > 0 ? `, to ${places.join(', ')}` : '';
    out.show(row, `${id} "${preview(prompt, 40)}" may use ${about.tool || 'no tools'}${where}; nothing else`);
  }
  const { jobs, freezer } = app.schedule;
  const offered = await jobs.named(await (await freezer()).offered(signal));
  for (const { id, prompt } of offered) {
    const row = { ...NO_CALL, kind: 'freeze', id, job: id, prompt, tool: null, destination: null };
    const how = `"schedule freeze ${id}" runs it without a model`;
    const line = `${id} "${preview(prompt, 40)}" always went the same way: ${how}`;
    out.show({ ...row, reason: 'its runs went the same way', state: 'offered' }, line);
  }
  if (proposals.some(({ state }) => state === 'waiting'))
    out.line('"approve ID" runs one of them, "deny ID" drops it.');
  if (proposals.length + rules.length + pinned.length + offered.length === 0)
    out.line('Nothing waits, and there are no standing approvals.');
  return 0;
}

/** The columns of a row that is no call. */
const NO_CALL = { input: null, reason: 'an "always" answer', createdAt: null, expiresAt: null, state: 'standing' };

function proposalRow(proposal: Proposal): Record<string, unknown> {
  const { id, tool, input, reason, createdAt, expiresAt, state } = proposal;
  const destination = placeOf(proposal) || null;
  return { id, kind: 'proposal', tool, input, destination, reason, createdAt, expiresAt, state };
}

function proposalLine(proposal: Proposal, timeZone: string): string {
  const { id, state, tool, reason, expiresAt } = proposal;
  const until = state === 'waiting' ? `; until ${showWall(new Date(expiresAt), timeZone)}` : '';
  return `${id}  ${state.padEnd(7)}  ${tool} ${aboutOf(proposal)}  (${reason}${until})`;
}

async function forgetPin({ app, out }: CommandCall, id: string): Promise<number> {
  const [job] = await app.schedule.jobs.named([id]);
  if (!job) throw unclear();
  await app.schedule.jobs.unpin(id);
  out.row({ job: id, forgotten: job.pin !== undefined });
  out.line(job.pin ? `${id} has no standing approvals any more.` : `${id} has no standing approvals.`);
  return job.pin ? 0 : 1;
}

function unclear(): AssistantError {
  return new AssistantError('bad_usage', 'It is not clear which approval you mean.', {
    hint: 'Usage: approvals forget TOOL DESTINATION, or approvals forget JOB; "approvals" lists them.',
  });
}

/** Run a waiting call exactly as it was proposed. */
async function approveCall(call: CommandCall, id: string): Promise<number> {
  const { app, out, place, signal } = call;
  const shown = await app.tools.proposals.get(id);
  const by = place === 'slash' ? '/approve' : 'wooster approve';
  const decide: Approver['decide'] = (request) => call.approve(request);
  return runProposal({ app, out }, id, { by, signal, decide, shown });
}

function described(proposal: Proposal, { columns }: Output): string {
  return questionText({ ...proposal, destination: proposal.target }, columns);
}

/**
 * Run a proposal that the person approves.
 *
 * @param approver.shown the proposal as it was made, to be shown with its outcome; absent: they have just seen it.
 * @returns the exit code.
 */
export async function runProposal(
  { app, out }: Pick<CommandCall, 'app' | 'out'>,
  id: string,
  { shown, ...approver }: Approver & { readonly shown?: Proposal },
): Promise<number> {
  const { outcome, text, proposal } = await app.tools.approve(id, approver);
  // What it was about before would only mislead.
  if (shown && outcome !== 'changed') out.line(described(shown, out));
  const now = outcome === 'changed' ? { proposal: proposal.id, diff: proposal.diff ?? null } : {};
  out.row({ id, outcome, result: text, ...now });
  if (outcome !== 'ran') out.line(NOT_RUN[outcome]);
  if (outcome === 'changed') out.line(`${described(proposal, out)}\n"approve ${proposal.id}" does that.`);
  if (outcome === 'ran' || outcome === 'failed' || outcome === 'missing') out.line(visible(text));
  return outcome === 'ran' ? 0 : 1;
}

/** Lift the restriction of a job that was made while untrusted content was being read, if it is what was shown. */
async function approveJob({ app, out }: CommandCall, named: string): Promise<number> {
  const [id = '', code = ''] = named.split('@');
  const { jobs } = app.schedule;
  const { job } = await jobs.show(id, 1);
  if (!job.restricted) {
    out.show({ id, outcome: 'done', result: '' }, `${id} is not restricted.`);
    return 1;
  }
  const approved = code === '' ? undefined : await jobs.approve(id, code);
  if (approved) {
    const { prompt } = approved;
    out.show({ id, outcome: 'ran', result: prompt }, `${id} runs as if you had written it: ${visible(prompt)}`);
    return 0;
  }
  const now = `${id}@${approvalCode(job)}`;
  out.row({ id, outcome: code === '' ? 'shown' : 'changed', result: job.prompt, options: job.options, approval: now });
  if (code !== '') out.line(`${id} is not what it was when you were shown it.`);
  out.line(`${visible(job.prompt)}\n${visible(job.description)}; ${visible(JSON.stringify(job.options))}`);
  out.line(`"approve ${now}" lets it act.`);
  return 1;
}

async function deny({ app, out, place, flags }: CommandCall, id: string): Promise<number> {
  const { proposals } = app.tools;
  const { tool, turnId } = await proposals.get(id);
  const by = place === 'slash' ? '/deny' : 'wooster deny';
  if (flags.turn === true) {
    const denied = await proposals.denyTurn(turnId, by);
    for (const each of denied) out.row({ id: each, denied: true });
    out.line(
      denied.length === 0 ? 'Nothing of that turn waits.' : `${counted(denied.length, 'call')} will not be run.`,
    );
    return denied.length === 0 ? 1 : 0;
  }
  const denied = await proposals.deny(id, by);
  out.row({ id, denied });
  const { state } = await proposals.get(id);
  out.line(denied ? `${tool} will not be run.` : `It no longer waits: ${state}.`);
  return denied ? 0 : 1;
}
