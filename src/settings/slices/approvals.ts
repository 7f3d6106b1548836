import { list } from '../setting.ts';

export const approvals = {
  allow: list({
    key: 'approvals.allow',
    env: 'APPROVALS_ALLOW',
    default: [],
    about:
      'Calls that run without approval, as tool=destination, for example notify=CHANNEL:owner. Exact, no patterns.',
    without: 'the rules of docs/security.md alone decide',
  }),
};
