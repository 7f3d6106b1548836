import { choice, text, url } from '../setting.ts';

/** What bundled plugins can be told, by the name of the plugin: each gets its own part as `host.config`. */
export const bundled = {
  tasks: {
    inboxPath: text({
      key: 'plugins.tasks.inboxPath',
      env: 'GTD_INBOX_PATH',
      default: undefined,
      about: 'File of the inbox; relative to the data folder, or absolute.',
      without: 'inbox.md in the folder of GTD_BASE_PATH',
    }),
    basePath: text({
      key: 'plugins.tasks.basePath',
      env: 'GTD_BASE_PATH',
      default: undefined,
      about: 'Folder of the task lists; relative to the data folder, or absolute.',
      without: 'gtd',
    }),
    nextActionsPath: text({
      key: 'plugins.tasks.nextActionsPath',
      env: 'GTD_NEXT_ACTIONS_PATH',
      default: undefined,
      about: 'File of the next actions.',
      without: 'next_actions.md in the folder of GTD_BASE_PATH',
    }),
    waitingForPath: text({
      key: 'plugins.tasks.waitingForPath',
      env: 'GTD_WAITING_FOR_PATH',
      default: undefined,
      about: 'File of what others owe you.',
      without: 'waiting_for.md in the folder of GTD_BASE_PATH',
    }),
    somedayMaybePath: text({
      key: 'plugins.tasks.somedayMaybePath',
      env: 'GTD_SOMEDAY_MAYBE_PATH',
      default: undefined,
      about: 'File of what may be done some day.',
      without: 'someday_maybe.md in the folder of GTD_BASE_PATH',
    }),
    archiveDir: text({
      key: 'plugins.tasks.archiveDir',
      env: 'GTD_ARCHIVE_DIR',
      default: undefined,
      about: 'Folder where items of the inbox are kept that were put away.',
      without: 'archive in the folder of GTD_BASE_PATH',
    }),
  },
  calendar: {
    folder: text({
      key: 'plugins.calendar.folder',
      env: 'CALENDAR_FOLDER',
      default: undefined,
      about: 'Folder of calendar files (.ics); relative to the data folder, or absolute.',
      without: 'calendar',
    }),
  },
  contacts: {
    folder: text({
      key: 'plugins.contacts.folder',
      env: 'CONTACTS_FOLDER',
      default: undefined,
      about: 'Folder of vCard files (.vcf); relative to the data folder, or absolute.',
      without: 'contacts',
    }),
  },
  weather: {
    city: text({
      key: 'plugins.weather.city',
      env: 'WEATHER_CITY',
      default: undefined,
      about: 'Where you are, for the weather: Galway, or Galway, Ireland.',
      without: 'the town that your time zone is named after',
    }),
    units: choice({
      key: 'plugins.weather.units',
      env: 'WEATHER_UNITS',
      values: ['C', 'F'],
      older: { c: 'C', f: 'F', metric: 'C', imperial: 'F' },
      default: 'C',
      about: 'Degrees Celsius or Fahrenheit.',
      without: 'Celsius',
    }),
    baseUrl: url({
      key: 'plugins.weather.baseUrl',
      env: 'OPEN_METEO_URL',
      default: undefined,
      about: 'An Open-Meteo server of your own, for forecasts.',
      without: 'https://api.open-meteo.com, which is free for non-commercial use',
    }),
    geocodingUrl: url({
      key: 'plugins.weather.geocodingUrl',
      env: 'OPEN_METEO_GEOCODING_URL',
      default: undefined,
      about: 'The server that knows where places are.',
      without: 'https://geocoding-api.open-meteo.com',
    }),
  },
};
