import { integer, list } from '../setting.ts';

/** Approvals given ahead, in a file, and how long calls wait for one; those given at the prompt are in the database. */
export const approvals = {
  allow: list({
    key: 'approvals.allow',
    env: 'APPROVALS_ALLOW',
    default: [],
    about:
      'Standing approvals, as tool=destination, for example notify=CHANNEL:owner. Exact matches only, no patterns.',
    without: 'only the rules of docs/security.md apply',
  }),
  ttlHours: integer({
    key: 'approvals.ttlHours',
    env: 'APPROVAL_TTL_HOURS',
    default: 24,
    min: 1,
    max: 8760,
    about: 'How many hours a call waits for `wooster approve` that nobody could be asked about.',
    without: '24',
  }),
};
