/** Zones by places that no zone is named after: cities and countries, in English and German. */
const PLACES: readonly (readonly [zone: string, places: string])[] = [
  ['America/New_York', 'nyc|boston|washington|miami|atlanta|philadelphia|orlando|new york city|usa east'],
  ['America/Chicago', 'houston|dallas|austin|new orleans|minneapolis|san antonio|st louis|nashville'],
  ['America/Denver', 'salt lake city|albuquerque|colorado'],
  [
    'America/Los_Angeles',
    'la|san francisco|seattle|las vegas|san diego|portland|silicon valley|california|kalifornien',
  ],
  ['America/Toronto', 'ottawa|montreal|quebec'],
  ['America/Vancouver', 'victoria'],
  ['America/Mexico_City', 'mexico|mexiko|mexiko-stadt|mexico city'],
  ['America/Sao_Paulo', 'rio|rio de janeiro|são paulo|sao paulo|brasilia|brazil|brasilien'],
  ['America/Argentina/Buenos_Aires', 'argentina|argentinien|buenos aires'],
  ['America/Bogota', 'bogotá|colombia|kolumbien'],
  ['America/Lima', 'peru'],
  ['America/Santiago', 'chile'],
  ['America/Havana', 'cuba|kuba|havanna'],
  [
    'Europe/London',
    [
      'uk|england|britain|great britain|united',
      'kingdom|scotland|edinburgh|manchester|glasgow|großbritannien|schottland|grossbritannien',
    ].join(' '),
  ],
  ['Europe/Dublin', 'ireland|irland'],
  ['Europe/Paris', 'france|frankreich|lyon|marseille|nice|nizza'],
  [
    'Europe/Berlin',
    [
      '',
      'germany|deutschland|munich|münchen|muenchen|hamburg|cologne|köln|koeln|frankfurt|stuttgart|leipzig|dresden',
    ].join(' '),
  ],
  ['Europe/Berlin', 'düsseldorf|bremen|hannover|nürnberg|nuremberg|bonn'],
  ['Europe/Vienna', 'austria|österreich|wien|salzburg|graz|innsbruck'],
  ['Europe/Zurich', 'switzerland|schweiz|zürich|geneva|genf|bern|basel'],
  ['Europe/Rome', 'italy|italien|rom|milan|mailand|venice|venedig|naples|neapel|florence|florenz|turin'],
  ['Europe/Madrid', 'spain|spanien|barcelona|valencia|seville|sevilla|mallorca'],
  ['Europe/Lisbon', 'portugal|lissabon|porto'],
  ['Europe/Amsterdam', 'netherlands|holland|niederlande|rotterdam|the hague|den haag'],
  ['Europe/Brussels', 'belgium|belgien|brüssel|antwerp|antwerpen'],
  ['Europe/Copenhagen', 'denmark|dänemark|kopenhagen'],
  ['Europe/Oslo', 'norway|norwegen|bergen|trondheim'],
  ['Europe/Stockholm', 'sweden|schweden|gothenburg|göteborg'],
  ['Europe/Helsinki', 'finland|finnland'],
  ['Europe/Warsaw', 'poland|polen|warschau|krakow|krakau|gdansk|danzig'],
  ['Europe/Prague', 'czech republic|czechia|tschechien|prag'],
  ['Europe/Budapest', 'hungary|ungarn'],
  ['Europe/Athens', 'greece|griechenland|athen'],
  ['Europe/Istanbul', 'turkey|türkei|ankara'],
  ['Europe/Kiev', 'kyiv|kiew|ukraine'],
  ['Europe/Moscow', 'moskau|st petersburg|saint petersburg'],
  ['Europe/Bucharest', 'romania|rumänien|bukarest'],
  ['Europe/Belgrade', 'serbia|serbien|belgrad'],
  ['Atlantic/Reykjavik', 'iceland|island'],
  ['Africa/Cairo', 'egypt|ägypten|kairo'],
  ['Africa/Johannesburg', 'south africa|südafrika|cape town|kapstadt'],
  ['Africa/Lagos', 'nigeria'],
  ['Africa/Nairobi', 'kenya|kenia'],
  ['Africa/Casablanca', 'morocco|marokko|marrakesh|marrakesch'],
  ['Asia/Jerusalem', 'israel|tel aviv'],
  ['Asia/Dubai', 'uae|abu dhabi|emirates|emirate'],
  ['Asia/Riyadh', 'saudi arabia|saudi-arabien|riad'],
  ['Asia/Tehran', 'iran|teheran'],
  ['Asia/Karachi', 'pakistan|lahore|islamabad'],
  [
    'Asia/Calcutta',
    [
      'india|indien|mumbai|bombay|delhi|new',
      'delhi|neu-delhi|bangalore|bengaluru|kolkata|kalkutta|chennai|hyderabad|pune|goa',
    ].join(' '),
  ],
  ['Asia/Katmandu', 'nepal|kathmandu'],
  ['Asia/Dhaka', 'bangladesh'],
  ['Asia/Bangkok', 'thailand|phuket'],
  ['Asia/Saigon', 'vietnam|hanoi|ho chi minh city|saigon'],
  ['Asia/Jakarta', 'indonesia|indonesien'],
  ['Asia/Makassar', 'bali'],
  ['Asia/Kuala_Lumpur', 'malaysia'],
  ['Asia/Singapore', 'singapur'],
  ['Asia/Shanghai', 'china|beijing|peking|shenzhen|guangzhou'],
  ['Asia/Hong_Kong', 'hongkong'],
  ['Asia/Taipei', 'taiwan|taipeh'],
  ['Asia/Tokyo', 'japan|tokio|osaka|kyoto|kioto'],
  ['Asia/Seoul', 'korea|south korea|südkorea'],
  ['Asia/Manila', 'philippines|philippinen'],
  ['Australia/Sydney', 'canberra'],
  ['Australia/Melbourne', 'victoria australia'],
  ['Pacific/Auckland', 'new zealand|neuseeland|wellington'],
  ['Pacific/Honolulu', 'hawaii|waikiki'],
  ['UTC', 'utc|gmt'],
];

let known: ReadonlyMap<string, string> | undefined;

/** The IANA zone of a city or country in English or German; undefined for a place that is not known. */
export function zoneOfPlace(place: string): string | undefined {
  known ??= new Map([
    ...Intl.supportedValuesOf('timeZone').map((zone) => [plain(zone.split('/').at(-1) ?? ''), zone] as const),
    ...PLACES.flatMap(([zone, places]) => places.split('|').map((name) => [plain(name), zone] as const)),
  ]);
  return known.get(plain(place));
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll('_', ' ').replace(/[.,]/gu, '').replace(/^the /u, '').trim();
}
