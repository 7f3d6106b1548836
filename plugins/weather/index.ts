import { type Briefing, definePlugin, defineTool, type Tool, z } from '#plugin';
import { findPlace, forecast, type OpenMeteo } from './open-meteo.ts';

const Settings = z.object({
  city: z.string().optional(),
  units: z.enum(['C', 'F']).default('C'),
  baseUrl: z.string().default('https://api.open-meteo.com'),
  geocodingUrl: z.string().default('https://geocoding-api.open-meteo.com'),
});

export default definePlugin({
  name: 'weather',
  version: '1.0.0',
  description: 'Says what the weather is and will be, by Open-Meteo, without a key.',

  hosts: ['api.open-meteo.com', 'geocoding-api.open-meteo.com', '$baseUrl', '$geocodingUrl'],
  effects: [],
  provides: ['briefing'],
  state: { meteo: undefined as OpenMeteo | undefined, city: '' },

  initialize(host) {
    const { city, units, baseUrl, geocodingUrl } = Settings.parse(host.config);
    const bare = (url: string) => url.replace(/\/+$/u, '');
    this.state.meteo = { fetch: host.fetch, units, baseUrl: bare(baseUrl), geocodingUrl: bare(geocodingUrl) };
    this.state.city = city ?? cityOf(host.timeZone);
  },

  getAgentTools() {
    const { meteo, city } = this.state;
    return meteo ? [weatherTool(meteo, city)] : [];
  },

  getServices() {
    const { meteo, city } = this.state;
    const briefing: Briefing = async ({ signal }) => {
      if (!meteo) return undefined;
      const { days, units } = await forecast(meteo, await findPlace(meteo, city, signal), { days: 1, signal });
      const [today] = days;
      const [degrees = ''] = units.split(',');
      const chance = today?.rainChancePercent ? `, ${today.rainChancePercent} % chance of rain` : '';
      return {
        title: `Weather in ${city}`,
        lines: today ? [`${today.sky}, ${today.low} to ${today.high} ${degrees}${chance}`] : [],
      };
    };
    return { briefing };
  },
});

function weatherTool(meteo: OpenMeteo, city: string): Tool {
  return defineTool({
    name: 'weather',
    positional: ['place', 'days'],
    aliases: { place: ['city', 'location', 'where'] },
    description: "The weather now and for some days; without a place, at the user's.",
    input: z.object({
      place: z.string().trim().min(1).max(200).default(city),
      days: z.number().int().min(1).max(16).default(3),
    }),
    policy: { effect: 'none', network: true, query: ({ place }) => place },
    provenance: { readsFrom: ['web'] },
    timeoutMs: 15_000,
    execute: async ({ place, days }, { signal }) =>
      forecast(meteo, await findPlace(meteo, place, signal), { days, signal }),
  });
}

/** The town that the zone is named after: near enough until the owner says where they are. */
function cityOf(timeZone: string): string {
  return timeZone.split('/').at(-1)?.replaceAll('_', ' ') ?? timeZone;
}
