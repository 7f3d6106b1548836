import { choice, flag, integer, text } from '../setting.ts';

/** Settings of the program as a whole. */
export const program = {
  logLevel: choice({
    key: 'logging.fileLogLevel',
    env: 'LOGGING_FILE_LOG_LEVEL',
    aliases: ['TOOLS_LOGGING_FILE_LOG_LEVEL', 'LOG_LEVEL'],
    values: ['debug', 'info', 'warn', 'error', 'silent'],
    default: 'info',
    about: 'Lowest level of messages written to the files in logs/.',
    without: 'info',
  }),
  logDays: integer({
    key: 'logging.days',
    env: 'LOGGING_DAYS',
    default: 90,
    min: 1,
    max: 36_500,
    about: 'For how many days the files in logs/ are kept.',
    without: '90',
  }),
  logMb: integer({
    key: 'logging.mb',
    env: 'LOGGING_MB',
    default: 100,
    min: 1,
    max: 1_000_000,
    about: 'Size in MB above which the oldest files in logs/ are deleted; one file has a tenth of it at most.',
    without: '100',
  }),
  statusLine: flag({
    key: 'statusLine',
    env: 'WOOSTER_STATUS_LINE',
    default: true,
    about: 'Show project, mode, calls to approve, model, cost and next job below the prompt.',
    without: 'shown',
  }),
  timeZone: text({
    key: 'timeZone',
    env: 'WOOSTER_TIME_ZONE',
    default: undefined,
    about: 'Your IANA time zone, used for dates and schedules.',
    without: "the machine's time zone",
  }),
};
