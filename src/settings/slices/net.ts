import { list, secret, url } from '../setting.ts';

export const net = {
  allowPrivate: list({
    key: 'egress.allowPrivate',
    env: 'EGRESS_ALLOW_PRIVATE',
    default: [],
    about: 'Private addresses that tools may reach, as host:port.',
    without: 'tools reach public addresses only, on ports 80 and 443',
  }),
};

export const web = {
  tavilyApiKey: secret({
    key: 'tavily.apiKey',
    env: 'TAVILY_API_KEY',
    default: undefined,
    about: 'Key of the Tavily search service.',
    without: 'SearXNG or the keyless search is used',
  }),
  tavilyUrl: url({
    key: 'tavily.baseUrl',
    env: 'TAVILY_BASE_URL',
    default: undefined,
    about: 'Another address for the Tavily service.',
    without: 'https://api.tavily.com',
  }),
  searxngUrl: url({
    key: 'searxng.baseUrl',
    env: 'SEARXNG_BASE_URL',
    default: undefined,
    about: 'Address of a SearXNG server for web search.',
    without: 'the keyless search is used when there is no Tavily key either',
  }),
};
