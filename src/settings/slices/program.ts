import { choice, flag, text } from '../setting.ts';

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
