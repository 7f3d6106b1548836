import { list, secret, url } from '../setting.ts';

export const net = {
  allowPrivate: list({
    key: 'egress.allowPrivate',
    env: 'EGRESS_ALLOW_PRIVATE',
    default: [],
    about: 'Private addresses that tools may reach, as host:port.',
    without: 'tools reach public addresses only, on ports 80 and 443',
  }),
  toolHosts: list({
    key: 'egress.toolHosts',
    env: 'EGRESS_TOOL_HOSTS',
    default: [],
    about: 'Hosts that a tool may reach, as tool=host or tool=*.host; a tool that is named reaches these alone.',
    without: 'tools reach every public address',
  }),
  linkHosts: list({
    key: 'egress.linkHosts',
    env: 'EGRESS_LINK_HOSTS',
    default: [],
    about: 'Hosts that answers may link to and show images from, with all hosts below them.',
    without: 'links and images in answers are written out as text',
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
  duckDuckGoUrl: url({
    key: 'duckDuckGo.baseUrl',
    env: 'DUCKDUCKGO_BASE_URL',
    default: undefined,
    about: 'Another address for the keyless search.',
    without: 'https://html.duckduckgo.com',
  }),
};
