import { flag, list, text } from '../setting.ts';

/** The door over HTTP. */
export const server = {
  enabled: flag({
    key: 'server.enabled',
    env: 'SERVER_ENABLED',
    default: false,
    about: 'Open the HTTP door whenever the program serves: page, API, OpenAI endpoint.',
    without: 'only with --http',
  }),
  address: text({
    key: 'server.address',
    env: 'SERVER_ADDRESS',
    default: '127.0.0.1:4321',
    about: 'Where the door is, as HOST:PORT. Beyond this machine only with TLS or behind a named proxy.',
    without: '127.0.0.1:4321',
  }),
  names: list({
    key: 'server.names',
    env: 'SERVER_NAMES',
    default: [],
    about: 'Further names by which the door is reached, such as wooster.example.net.',
    without: 'only its own address',
  }),
  proxies: list({
    key: 'server.proxies',
    env: 'SERVER_PROXIES',
    default: [],
    about: 'Addresses of proxies in front of the door whose forwarding headers are believed.',
    without: 'none: a request through a proxy is refused',
  }),
  tlsCert: text({
    key: 'server.tls.cert',
    env: 'SERVER_TLS_CERT',
    default: undefined,
    about: 'Path of a certificate in PEM, with its chain.',
    without: 'no TLS',
  }),
  tlsKey: text({
    key: 'server.tls.key',
    env: 'SERVER_TLS_KEY',
    default: undefined,
    about: 'Path of the key of the certificate, in PEM.',
    without: 'no TLS',
  }),
  pairingHint: flag({
    key: 'server.pairingHint',
    env: 'SERVER_PAIRING_HINT',
    default: false,
    about: 'Tell one stranger in an hour, on each channel, how its owner is paired.',
    without: 'strangers get nothing',
  }),
};
