import { list, secret, url } from '../setting.ts';

/** What the egress gateway lets through. Everything that is not listed follows docs/security.md. */
export const net = {
  allowPrivate: list({
    key: 'egress.allowPrivate',
    env: 'EGRESS_ALLOW_PRIVATE',
    default: [],
    about: 'Private network addresses that tools may reach, as host:port.',
    without: 'tools reach only public addresses, on ports 80 and 443',
  }),
  toolHosts: list({
    key: 'egress.toolHosts',
    env: 'EGRESS_TOOL_HOSTS',
    default: [],
    about: 'Hosts that a tool may reach, as tool=host or tool=*.host. A tool listed here reaches no other host.',
    without: 'tools reach any public address',
  }),
  proxy: secret({
    key: 'egress.proxy',
    env: 'HTTPS_PROXY',
    aliases: ['https_proxy'],
    default: undefined,
    about: 'HTTP proxy through which models are downloaded, as http://host:port. Nothing else goes through it.',
    without: 'they are downloaded directly',
  }),
  noProxy: list({
    key: 'egress.noProxy',
    env: 'NO_PROXY',
    aliases: ['no_proxy'],
    default: [],
    about: 'Hosts, including their subdomains, from which models are downloaded without the proxy.',
    without: 'the proxy is used for every host outside the house',
  }),
  linkHosts: list({
    key: 'egress.linkHosts',
    env: 'EGRESS_LINK_HOSTS',
    default: [],
    about: 'Hosts, including their subdomains, that answers may link to and show images from.',
    without: 'links and images in answers are written as text',
  }),
};

/** The services that web search can use, in the order in which they are tried. */
export const web = {
  tavilyApiKey: secret({
    key: 'tavily.apiKey',
    env: 'TAVILY_API_KEY',
    default: undefined,
    about: 'API key of the Tavily search service.',
    without: 'Brave, SearXNG, or the search that needs no key is used',
  }),
  tavilyUrl: url({
    key: 'tavily.baseUrl',
    env: 'TAVILY_BASE_URL',
    default: undefined,
    about: 'Base URL of the Tavily service.',
    without: 'https://api.tavily.com',
  }),
  braveApiKey: secret({
    key: 'brave.apiKey',
    env: 'BRAVE_API_KEY',
    default: undefined,
    about: 'API key of the Brave search service.',
    without: 'SearXNG, or the search that needs no key, is used',
  }),
  braveUrl: url({
    key: 'brave.baseUrl',
    env: 'BRAVE_BASE_URL',
    default: undefined,
    about: 'Base URL of the Brave search service.',
    without: 'https://api.search.brave.com',
  }),
  searxngUrl: url({
    key: 'searxng.baseUrl',
    env: 'SEARXNG_BASE_URL',
    default: undefined,
    about: 'Base URL of a SearXNG server for web search.',
    without: 'Tavily or Brave is used if it has a key, else the search that needs no key',
  }),
  duckDuckGoUrl: url({
    key: 'duckDuckGo.baseUrl',
    env: 'DUCKDUCKGO_BASE_URL',
    default: undefined,
    about: 'Base URL of the search that needs no key.',
    without: 'https://html.duckduckgo.com',
  }),
};
