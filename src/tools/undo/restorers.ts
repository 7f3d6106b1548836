import { beginning, counted } from '../../base/text.ts';
import type { Projects } from '../../rag/projects.ts';
import type { Scheduler } from '../../scheduler/contract.ts';
import { isSameJob } from '../../scheduler/job-states.ts';
import type { Store } from '../../store/store.ts';
import type { Artifacts } from '../builtin/artifacts.ts';
import type { FileVersions } from '../builtin/file-versions.ts';
import type { ProjectFiles } from '../builtin/project-files.ts';
import { type KeptStates, THERE } from './kept-states.ts';
import type { Restorer } from './undo.ts';

/** Files of projects: `before` is the number of a version, `after` a SHA-256. */
export function fileRestorer(files: ProjectFiles, versions: FileVersions): Restorer {
  return {
    async look({ project, thing, before, after }) {
      const current = await files.hash(project, thing);
      if (current === (await versions.hash(project, thing, Number(before)))) return 'before';
      return current === after ? 'after' : 'other';
    },
    async restore({ project, thing, before }, by) {
      const there = (await files.hash(project, thing)) !== undefined;
      const version = { project, path: thing, version: Number(before) };
      const content = await versions.get(project, thing, version.version);
      await versions.restore(files, version, by);
      if (content === undefined) return `${thing} is gone again; it had not been there before`;
      const size = counted(content.length, 'byte');
      return there ? `${thing} has its earlier content again (${size})` : `${thing} is there again (${size})`;
    },
    async file({ project, thing, before }) {
      const [now, text] = [await files.look(project, thing), await versions.get(project, thing, Number(before))];
      const hash = await versions.hash(project, thing, Number(before));
      return {
        path: thing,
        now,
        earlier: text && hash ? { text: Buffer.from(text).toString('utf8'), hash } : undefined,
      };
    },
  };
}

/** Entries of journals: `before` or `after` is the entry, the other is absent. */
export function noteRestorer(projects: Projects, states: KeptStates): Restorer {
  return {
    look: async ({ project, before, after }) => {
      const entry = before ?? after ?? '';
      const there = projects.hasEntry(project, entry);
      return there === (before !== undefined) ? 'before' : 'after';
    },
    async restore({ project, thing, before, after }, by) {
      const entry = before ?? after ?? '';
      const reversed = { project, kind: 'note', thing, before: after, after: before } as const;
      const keep = () => states.keep(reversed, by);
      if (before === undefined) await projects.removeEntry(project, entry, keep);
      else await projects.addEntry(project, entry, keep);
      return before === undefined ? `the note is out of ${thing} again` : `the note is in ${thing} again`;
    },
  };
}

/** Artifacts: `before` is a whole row. */
export function artifactRestorer(artifacts: Artifacts, states: KeptStates, store: Store): Restorer {
  return {
    look: async ({ thing, before }) => {
      const there = (await artifacts.state(thing)) !== undefined;
      return there === (before !== undefined) ? 'before' : 'after';
    },
    async restore({ project, thing, before }, by) {
      await store.transaction(async () => {
        const now = await artifacts.state(thing);
        const after = before === undefined ? undefined : THERE;
        await states.keep({ project, kind: 'artifact', thing, before: now, after }, by);
        await artifacts.putBack(thing, before);
      });
      return before === undefined ? `artifact ${thing} is gone again` : `artifact ${thing} is there again`;
    },
  };
}

/** Scheduled jobs: `before` and `after` are what the scheduler says of them. */
export function jobRestorer(scheduler: Scheduler, states: KeptStates, store: Store): Restorer {
  return {
    async look({ thing, before, after }) {
      const now = await scheduler.state(thing);
      if (isSameJob(now, before)) return 'before';
      return isSameJob(now, after) ? 'after' : 'other';
    },
    async restore({ project, thing, before, after }, by) {
      const { untrusted = false } = by;
      const there = await store.transaction(async () => {
        const now = await scheduler.state(thing);
        await states.keep({ project, kind: 'job', thing, before: now, after: before }, by);
        await scheduler.putBack(thing, before, { after, by: { untrusted } });
        return now !== undefined;
      });
      if (before === undefined) return `${thing} is cancelled`;
      const { job } = await scheduler.show(thing, 1);
      const next = job.next === undefined ? 'it has no next run' : `next ${job.next.toISOString()}`;
      // Models read it too, and nobody labels it.
      const named = job.untrusted ? thing : `${thing} ("${beginning(job.prompt, 60)}")`;
      const limit =
        untrusted && !job.options.verbatim ? `; it is restricted until the user says: approve ${thing}` : '';
      return `${named} ${there ? 'is as it was before' : 'is scheduled again'}, ${next}${limit}`;
    },
  };
}
