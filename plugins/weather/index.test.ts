import { expect, test } from 'vitest';
import { startPlugin } from '../../src/testing/plugin.ts';
import { webServer } from '../../src/testing/web-server.ts';
import weather from './index.ts';

const PLACES = [
  { id: 1, name: 'Galway', latitude: 53.27, longitude: -9.05, country: 'Ireland', admin1: 'Connacht' },
  { id: 2, name: 'Galway', latitude: 43.0, longitude: -74.0, country: 'United States', admin1: 'New York' },
];

/** A fake Open-Meteo, which returns only the requested parameters. */
function answer(url: URL): unknown {
  if (url.pathname === '/v1/search') {
    const results = PLACES.filter(({ name }) => name === url.searchParams.get('name'));
    return results.length > 0 ? { results, generationtime_ms: 0.5 } : { generationtime_ms: 0.5 };
  }
  const fahrenheit = url.searchParams.get('temperature_unit') === 'fahrenheit';
  const days = Number(url.searchParams.get('forecast_days'));
  const numbers: Record<string, number> = { weather_code: 61, temperature_2m_min: 8.1, temperature_2m_max: 12.4 };
  const row = (key: string) =>
    Array.from({ length: days }, () => (key === 'precipitation_probability_max' ? null : (numbers[key] ?? 1)));
  const daily = (url.searchParams.get('daily') ?? '').split(',').map((key) => [key, row(key)]);
  const values: Record<string, number> = { weather_code: 3, temperature_2m: fahrenheit ? 50 : 10 };
  const current = (url.searchParams.get('current') ?? '').split(',').map((key) => [key, values[key] ?? 2]);
  return {
    timezone: 'Europe/Dublin',
    current: { time: '2026-01-15T09:00', interval: 900, ...Object.fromEntries(current) },
    daily: { time: Array.from({ length: days }, (_, index) => `2026-01-${15 + index}`), ...Object.fromEntries(daily) },
  };
}

async function withServer(config: Record<string, unknown> = {}, status = 200) {
  const server = await webServer((request, response) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer(new URL(request.url ?? '', 'http://x'))));
  });
  const started = await startPlugin(weather, {
    config: { city: 'Galway', baseUrl: server.origin, geocodingUrl: `${server.origin}/`, ...config },
  });
  return { ...started, server };
}

test('the weather of a place is told in words and numbers', async () => {
  const { call, server } = await withServer();
  expect(await call('weather', { days: 2 })).toEqual({
    place: 'Galway, Ireland',
    units: '°C, km/h, mm',
    now: { sky: 'overcast', temperature: 10, feelsLike: 2, wind: 2 },
    days: ['2026-01-15', '2026-01-16'].map((date) => ({
      ...{ date, sky: 'rain', low: 8.1, high: 12.4, rain: 1, rainChancePercent: undefined, wind: 1 },
    })),
  });
  expect(server.received).toHaveLength(2);
});

test('a place is told from another of its name, and units are those that were set', async () => {
  const { call } = await withServer({ units: 'F' });
  expect(await call('weather', { place: 'Galway, New York' })).toMatchObject({
    place: 'Galway, United States',
    units: '°F, mph, inches',
    now: { temperature: 50 },
  });
});

test('a place that nobody knows and a service that fails are told as such', async () => {
  await expect((await withServer()).call('weather', { place: 'Nowhere' })).rejects.toThrow(
    'No place is called "Nowhere"',
  );
  await expect((await withServer({}, 503)).call('weather')).rejects.toThrow('status 503');
});
