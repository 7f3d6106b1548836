import { type Briefing, definePlugin, defineTool, sayDay, z } from '#plugin';

const Settings = z.object({ scheduleCronExpression: z.string().default('30 6 * * *') });
/** A plugin that does not answer in time is left out, and the review says so. */
const SECTION_MS = 20_000;

export default definePlugin({
  name: 'daily-review',
  version: '1.0.0',
  description: 'Tells you each morning what the day brings: calendar, tasks, habits, birthdays, weather.',

  hosts: [],
  effects: [],
  uses: ['briefing?'],
  state: { cron: '', timeZone: '', briefings: (): readonly Briefing[] => [] },

  initialize(host) {
    this.state.cron = Settings.parse(host.config).scheduleCronExpression;
    this.state.timeZone = host.timeZone;
    this.state.briefings = () => host.services<Briefing>('briefing');
  },

  getAgentTools() {
    const { state } = this;
    return [
      defineTool({
        name: 'get_daily_review',
        description:
          'Tell what the day brings: calendar, tasks, habits, birthdays, weather, from the plugins that are on.',
        input: z.object({}),
        output: z.string(),
        policy: { effect: 'none' },
        timeoutMs: SECTION_MS + 5000,
        execute: (_input, { now, timeZone, signal }) => review(state.briefings(), { now: now(), timeZone, signal }),
      }),
    ];
  },

  getScheduledTaskSetups() {
    const { state } = this;
    return [
      {
        taskKey: 'dailyReview.send',
        description: 'Daily review',
        schedule: state.cron,
        run: (_payload, signal) => review(state.briefings(), { now: new Date(), timeZone: state.timeZone, signal }),
      },
    ];
  },
});

async function review(briefings: readonly Briefing[], day: Parameters<Briefing>[0]): Promise<string> {
  const signal = AbortSignal.any([day.signal, AbortSignal.timeout(SECTION_MS)]);
  const sections = await Promise.allSettled(briefings.map((briefing) => stopped(briefing({ ...day, signal }), signal)));
  const parts = sections.flatMap((section) => {
    if (section.status === 'rejected') return [`Left out: ${messageOf(section.reason)}`];
    if (!section.value || section.value.lines.length === 0) return [];
    return [[`**${section.value.title}**`, ...section.value.lines.map((line) => `- ${line}`)].join('\n')];
  });
  const title = sayDay(day.now, day.timeZone);
  return [title, ...(parts.length > 0 ? parts : ['Nothing is planned.'])].join('\n\n');
}

/** A plugin may ignore the signal. */
async function stopped<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const stop = () => reject(new Error('a part did not answer in time'));
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

function messageOf(reason: unknown): string {
  return reason instanceof Error ? reason.message : String(reason);
}
