/**
 * 100,000 random schedules, zones and instants against an oracle that looks at every minute. `npm run test:times [COUNT]
 * [SEED]`; takes some minutes.
 */
import { mulberry32 } from '../src/base/mulberry32.ts';
import { compareRandomTimes } from '../src/testing/random-times.ts';

const COUNT = Number(process.argv[2] ?? 100_000);
const SEED = Number(process.argv[3] ?? 1);
const ZONES = Intl.supportedValuesOf('timeZone');

const random = mulberry32(SEED);
const started = performance.now();
const total = { triples: 0, nearChanges: 0, wrong: 0 };
for (const [index, zone] of ZONES.entries()) {
  const count = Math.ceil((COUNT - total.triples) / (ZONES.length - index));
  const { triples, nearChanges, wrong } = compareRandomTimes(zone, count, random);
  total.triples += triples;
  total.nearChanges += nearChanges;
  total.wrong += wrong.length;
  for (const line of wrong.slice(0, 5)) console.log(line);
  if (index % 50 === 49) console.error(`${index + 1} of ${ZONES.length} zones`);
}
console.log(
  `${total.triples} triples in ${ZONES.length} zones (tz ${process.versions.tz}, seed ${SEED}), ` +
    `${total.nearChanges} near a clock change: ${total.wrong} wrong, ${Math.round((performance.now() - started) / 1000)} s`,
);
process.exit(total.wrong === 0 ? 0 : 1);
