import { z } from '#plugin';

/** Open-Meteo's base URLs; both can be a self-hosted server. */
export interface OpenMeteo {
  readonly fetch: typeof globalThis.fetch;
  readonly baseUrl: string;
  readonly geocodingUrl: string;
  readonly units: 'C' | 'F';
}

export interface Place {
  readonly name: string;
  readonly latitude: number;
  readonly longitude: number;
}

const Found = z.object({
  results: z
    .array(
      z.object({
        name: z.string(),
        latitude: z.number(),
        longitude: z.number(),
        country: z.string().optional(),
        admin1: z.string().optional(),
      }),
    )
    .optional(),
});
const Numbers = z.array(z.number().nullable());
const Forecast = z.object({
  current: z.object({
    temperature_2m: z.number(),
    apparent_temperature: z.number(),
    weather_code: z.number(),
    wind_speed_10m: z.number(),
  }),
  daily: z.object({
    time: z.array(z.iso.date()),
    weather_code: Numbers,
    temperature_2m_max: Numbers,
    temperature_2m_min: Numbers,
    precipitation_sum: Numbers,
    precipitation_probability_max: Numbers,
    wind_speed_10m_max: Numbers,
  }),
});

/**
 * The place of that name; the most populous one.
 *
 * @throws Error when there is none.
 * @see https://open-meteo.com/en/docs/geocoding-api
 */
export async function findPlace(meteo: OpenMeteo, name: string, signal: AbortSignal): Promise<Place> {
  // "Galway, Ireland": the first part is searched for, the others choose among the results.
  const [first = '', ...rest] = name.split(',').map((part) => part.trim());
  const query = new URLSearchParams({ name: first, count: '10', language: 'en', format: 'json' });
  const { results = [] } = Found.parse(await ask(meteo, `${meteo.geocodingUrl}/v1/search?${query}`, signal));
  const fits = results.find((each) =>
    rest.every((part) => `${each.admin1} ${each.country}`.toLowerCase().includes(part.toLowerCase())),
  );
  const place = fits ?? results[0];
  if (!place) throw new Error(`No place is called "${name}".`);
  const { latitude, longitude, country } = place;
  return { name: country ? `${place.name}, ${country}` : place.name, latitude, longitude };
}

/**
 * The weather now and for some days, in the zone of the place.
 *
 * @see https://open-meteo.com/en/docs
 */
export async function forecast(
  meteo: OpenMeteo,
  place: Place,
  { days, signal }: { days: number; signal: AbortSignal },
) {
  const query = new URLSearchParams({
    latitude: String(place.latitude),
    longitude: String(place.longitude),
    current: Object.keys(Forecast.shape.current.shape).join(),
    daily: Object.keys(Forecast.shape.daily.shape)
      .filter((key) => key !== 'time')
      .join(),
    timezone: 'auto',
    forecast_days: String(days),
    ...(meteo.units === 'F' && { temperature_unit: 'fahrenheit', wind_speed_unit: 'mph', precipitation_unit: 'inch' }),
  });
  const { current, daily } = Forecast.parse(await ask(meteo, `${meteo.baseUrl}/v1/forecast?${query}`, signal));
  const at = (list: readonly (number | null)[], index: number) => list[index] ?? undefined;
  return {
    place: place.name,
    units: meteo.units === 'F' ? '°F, mph, inches' : '°C, km/h, mm',
    now: {
      sky: skyOf(current.weather_code),
      temperature: current.temperature_2m,
      feelsLike: current.apparent_temperature,
      wind: current.wind_speed_10m,
    },
    days: daily.time.map((date, index) => ({
      date,
      sky: skyOf(at(daily.weather_code, index)),
      low: at(daily.temperature_2m_min, index),
      high: at(daily.temperature_2m_max, index),
      rain: at(daily.precipitation_sum, index),
      rainChancePercent: at(daily.precipitation_probability_max, index),
      wind: at(daily.wind_speed_10m_max, index),
    })),
  };
}

async function ask({ fetch }: OpenMeteo, url: string, signal: AbortSignal): Promise<unknown> {
  const response = await fetch(url, { signal });
  if (!response.ok) throw new Error(`The weather service answered with status ${response.status}.`);
  return response.json();
}

/** WMO code table 4677, as Open-Meteo uses it: each row applies from its code up to the next row's. */
const SKIES: readonly (readonly [from: number, sky: string])[] = [
  [0, 'clear sky'],
  [1, 'mainly clear'],
  [2, 'partly cloudy'],
  [3, 'overcast'],
  [45, 'fog'],
  [51, 'drizzle'],
  [56, 'freezing drizzle'],
  [61, 'rain'],
  [65, 'heavy rain'],
  [66, 'freezing rain'],
  [71, 'snow'],
  [75, 'heavy snow'],
  [77, 'snow grains'],
  [80, 'rain showers'],
  [82, 'violent rain showers'],
  [85, 'snow showers'],
  [95, 'thunderstorm'],
  [96, 'thunderstorm with hail'],
];

function skyOf(code: number | undefined): string {
  if (code === undefined) return 'unknown';
  return SKIES.findLast(([from]) => from <= code)?.[1] ?? 'unknown';
}
