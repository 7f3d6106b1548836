import { integer, optionalInteger, postgresUrl, text, word } from '../setting.ts';

/** For a home that several machines share: a database server, and which folders are where. */
export const shared = {
  storeUrl: postgresUrl({
    key: 'store.url',
    env: 'WOOSTER_STORE_URL',
    default: undefined,
    about: 'URL of a PostgreSQL database, like postgres://user:password@host/name, for a home on several machines.',
    without: 'the database is the file state/wooster.sqlite3 of the home',
  }),
  storePool: integer({
    key: 'store.pool',
    env: 'WOOSTER_STORE_POOL',
    default: 4,
    min: 1,
    max: 100,
    about: 'Most connections of one program to the PostgreSQL database; it uses one more to listen.',
    without: '4',
  }),
  homeId: word({
    key: 'store.home',
    env: 'WOOSTER_HOME_ID',
    default: 'default',
    about: 'Which home of the PostgreSQL database this is: programs with the same id work for the same home.',
    without: 'default',
  }),
  workerSlots: optionalInteger({
    key: 'worker.slots',
    env: 'WOOSTER_WORKER_SLOTS',
    default: undefined,
    min: 1,
    max: 100,
    about: 'How many runs of jobs this program takes on at the same time.',
    without: 'the value of SCHEDULER_CONCURRENCY',
  }),
  homeSlots: optionalInteger({
    key: 'worker.homeSlots',
    env: 'WOOSTER_HOME_SLOTS',
    default: undefined,
    min: 1,
    max: 100,
    about: 'How many of those runs may be of the same home, for `wooster serve --homes`.',
    without: 'half of them',
  }),
  homesDir: text({
    key: 'folders.homes',
    env: 'WOOSTER_HOMES_DIR',
    default: undefined,
    about: 'Folder with one folder per home, each with its own .env and config/, for `wooster serve --homes`.',
    without: 'homes/ of the home',
  }),
  projectsDir: text({
    key: 'folders.projects',
    env: 'WOOSTER_PROJECTS_DIR',
    default: undefined,
    about:
      'Folder of the projects, and of memory.md, skills/ and programs/ for all of them; several machines can mount it.',
    without: 'projects/ of the home',
  }),
  cacheDir: text({
    key: 'folders.cache',
    env: 'WOOSTER_CACHE_DIR',
    default: undefined,
    about: 'Folder for what can be made again, the search indexes. It must be on a disk of this machine.',
    without: 'vector_data/ of the home',
  }),
};
