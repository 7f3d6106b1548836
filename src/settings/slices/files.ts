import { integer } from '../setting.ts';

/** What the file tools overwrite or delete is kept for a while. */
export const files = {
  versionDays: integer({
    key: 'files.versionDays',
    env: 'FILES_VERSION_DAYS',
    default: 90,
    min: 1,
    max: 36_500,
    about: 'For how many days earlier versions of files are kept that the file tools overwrote or deleted.',
    without: '90',
  }),
  versionsMb: integer({
    key: 'files.versionsMb',
    env: 'FILES_VERSIONS_MB',
    default: 200,
    min: 1,
    max: 1_000_000,
    about: "Size in MB above which the oldest of a project's earlier versions of files are deleted.",
    without: '200',
  }),
};
