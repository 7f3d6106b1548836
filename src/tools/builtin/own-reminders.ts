import { preview } from '../../base/text.ts';
import type { Turn } from '../../base/turn.ts';
import type { ScheduledJob } from '../../scheduler/types.ts';
import type { Store } from '../../store/store.ts';
import { sayRuns } from '../../when/confirm.ts';

/** So many stay in sight; `list_schedules` knows all. */
const MOST = 12;

/**
 * The reminders that a conversation has made and that are still to come, for its next turn: their ids outlive the
 * messages that named them. A text that untrusted content may have shaped is left out.
 *
 * @returns lines for the prompt; none when there are no such reminders.
 */
export async function ownReminders(
  store: Store,
  jobs: { named(ids: readonly string[]): Promise<readonly ScheduledJob[]> },
  { conversationId, project }: Pick<Turn, 'conversationId' | 'project'>,
): Promise<string[]> {
  const rows = await store.read
    .selectFrom('effects')
    .select('result')
    .where('conversation_id', '=', conversationId)
    .where('tool', '=', 'schedule')
    .where('state', '=', 'done')
    .orderBy('created_at', 'desc')
    .limit(MOST)
    .execute();
  const ids = new Set(rows.flatMap(({ result }) => (JSON.parse(result ?? 'null') as { id?: string } | null)?.id ?? []));
  if (ids.size === 0) return [];
  const known = (await jobs.named([...ids]))
    .filter((job) => job.project === project && job.next !== undefined)
    .sort((a, b) => Number(a.next) - Number(b.next));
  return known.length === 0 ? [] : ['Reminders made in this conversation, by id:', ...known.map(line)];
}

function line({ id, prompt, next, timeZone, description, kind, untrusted }: ScheduledJob): string {
  const when = `${kind === 'at' ? '' : `${description}, next `}${sayRuns(next ? [next] : [], timeZone)}`;
  return untrusted ? `- ${id}: ${when}` : `- ${id}: "${preview(prompt, 80)}", ${when}`;
}
