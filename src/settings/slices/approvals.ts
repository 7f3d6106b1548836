import { list } from '../setting.ts';

/** Approvals given ahead, in a file; those given at the prompt are in the database. */
export const approvals = {
  allow: list({
    key: 'approvals.allow',
    env: 'APPROVALS_ALLOW',
    default: [],
    about:
      'Standing approvals, as tool=destination, for example notify=CHANNEL:owner. Exact matches only, no patterns.',
    without: 'only the rules of docs/security.md apply',
  }),
};
