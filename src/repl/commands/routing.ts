import { AssistantError } from '../../base/errors.ts';
import { TASK_PROFILES, type TaskProfile } from '../../models/types.ts';
import type { Command, CommandCall } from '../command.ts';

/** `/routing`, `/routing why`, `routing status`. */
export const routing: Command = {
  name: 'routing',
  summary: 'Show which model each kind of task gets, and why the last one was chosen',
  usage: ['routing', 'routing why', 'routing why TASK'],
  async run(call) {
    const [form, task] = call.args;
    if (form === undefined || form === 'status') return status(call);
    if (form !== 'why')
      throw new AssistantError('bad_usage', `"routing ${form}" is not known.`, {
        hint: 'Use routing, or routing why.',
      });
    const why = task === undefined ? call.app.models.why() : await reasons(call, profileOf(task));
    call.out.row({ why });
    for (const line of why) call.out.line(line);
    return 0;
  },
};

async function status(call: CommandCall): Promise<number> {
  for (const profile of TASK_PROFILES) {
    const [decision = '', rule = ''] = await reasons(call, profile);
    call.out.row({ profile, decision, rule });
    call.out.line(`${profile.padEnd(18)} ${decision}`);
  }
  return 0;
}

/** A choice that is made but not used: nothing is sent to a model. */
async function reasons({ app, session, signal }: CommandCall, profile: TaskProfile): Promise<readonly string[]> {
  const { mode, project } = session;
  try {
    return (await app.models.pick({ profile, mode, project, purpose: 'turn', signal })).why;
  } catch (error) {
    if (error instanceof AssistantError) return [`${error.message} ${error.hint}`];
    throw error;
  }
}

function profileOf(word: string): TaskProfile {
  const wanted = word.toUpperCase().replaceAll('-', '_');
  const found = TASK_PROFILES.find((profile) => profile === wanted || profile.startsWith(`${wanted}_`));
  if (found) return found;
  throw new AssistantError('bad_usage', `There is no task "${word}".`, {
    hint: `Use one of ${TASK_PROFILES.join(', ')}.`,
  });
}
