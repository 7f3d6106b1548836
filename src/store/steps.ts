import type { Step } from './step.ts';
import { addChatNonces } from './steps/chat-nonces.ts';
import { addChats } from './steps/chats.ts';
import { addFrozenJobs } from './steps/frozen-jobs.ts';
import { addHooksAndOwners } from './steps/hooks-and-owners.ts';
import { addModelCalls } from './steps/model-calls.ts';
import { addNoticeLabels } from './steps/notice-labels.ts';
import { addNoticeReplies } from './steps/notice-replies.ts';
import { addOverheardAndFiles } from './steps/overheard-and-files.ts';
import { addPresenceAndNotices } from './steps/presence-and-notices.ts';
import { addSeenPages } from './steps/seen-pages.ts';
import { addServerDoors } from './steps/server-doors.ts';
import { addTaken } from './steps/taken.ts';
import { addWaitingRuns } from './steps/waiting-runs.ts';
import { addWholeAnswers } from './steps/whole-answers.ts';

/** The oldest version of the tables that is upgraded. The program at the Git tag `schema-19` upgrades older ones. */
export const BASELINE = 19;

/**
 * How the tables have changed since `BASELINE`, for existing databases: a new one is made from `TABLES`. The first step
 * leads to version 20, so only ever append.
 *
 * A step does not use `TABLES`, which will have changed by the time it runs: it is written in SQL, or has a copy of the
 * table that it creates. A test makes sure that both ways end with the same tables. There are no downgrades: a database
 * of a newer version is refused, and backups are the way back to an older one.
 */
export const STEPS: readonly Step[] = [
  addPresenceAndNotices,
  addServerDoors,
  addModelCalls,
  addNoticeLabels,
  addHooksAndOwners,
  addSeenPages,
  addChats,
  addChatNonces,
  addOverheardAndFiles,
  addWaitingRuns,
  addTaken,
  addWholeAnswers,
  addNoticeReplies,
  addFrozenJobs,
];
