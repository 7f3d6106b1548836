import { pattern } from './pattern.ts';

/** A pattern that is a secret wherever it occurs. The whole match is hidden, or its group `secret` if it has one. */
export interface SecretRule {
  readonly name: string;
  readonly pattern: RegExp;
  /** Occurs in every match, so a text without it need not be searched; absent if the matches share no such text. */
  readonly needs?: string | undefined;
}

/** A token must begin at the start of a word. */
const B = '(?<![A-Za-z0-9_])';

/** Tokens that their issuers mark with a prefix. Lengths are minimums, so a longer token is hidden as a whole. */
const PREFIXED: readonly (readonly [name: string, prefix: string, body: string])[] = [
  ['openai, anthropic, deepseek, openrouter, stripe-like', 'sk-', '[A-Za-z0-9_-]{16,}'],
  ['stripe', '(?:sk|pk|rk)_(?:live|test|prod)_', '[A-Za-z0-9]{10,}'],
  ['stripe webhook', 'whsec_', '[A-Za-z0-9+/=]{16,}'],
  ['github', '(?:gh[pousr]|github_pat)_', '[A-Za-z0-9_]{20,}'],
  ['gitlab', 'gl(?:pat|dt|rt|cbt|ptt|ft|imt|agent|soat|oas)-', '[A-Za-z0-9_.-]{16,}'],
  ['slack', 'xox[a-z](?:\\.xox[a-z])?-', '[A-Za-z0-9-]{10,}'],
  ['slack app', 'xapp-', '[A-Za-z0-9-]{10,}'],
  ['google api', 'AIza', '[A-Za-z0-9_-]{30,}'],
  ['google oauth', 'ya29\\.', '[A-Za-z0-9_.-]{20,}'],
  ['google client secret', 'GOCSPX-', '[A-Za-z0-9_-]{20,}'],
  ['aws access key', '(?:AKIA|ASIA|ABIA|ACCA|A3T[A-Z0-9])', '[A-Z0-9]{16}(?![A-Za-z0-9])'],
  ['tavily', 'tvly-', '[A-Za-z0-9-]{10,}'],
  ['hugging face', '(?:hf|api_org)_', '[A-Za-z0-9]{20,}'],
  ['groq', 'gsk_', '[A-Za-z0-9]{20,}'],
  ['xai', 'xai-', '[A-Za-z0-9]{20,}'],
  ['perplexity', 'pplx-', '[A-Za-z0-9]{20,}'],
  ['replicate', 'r8_', '[A-Za-z0-9]{20,}'],
  ['nvidia', 'nvapi-', '[A-Za-z0-9_-]{20,}'],
  ['fireworks', 'fw_', '[A-Za-z0-9]{20,}'],
  ['npm', 'npm_', '[A-Za-z0-9]{30,}'],
  ['pypi', 'pypi-', '[A-Za-z0-9_-]{30,}'],
  ['rubygems', 'rubygems_', '[a-f0-9]{30,}'],
  ['crates.io', 'cio', '[A-Za-z0-9]{32}(?![A-Za-z0-9])'],
  ['docker', 'dckr_(?:pat|oat)_', '[A-Za-z0-9_-]{20,}'],
  ['digitalocean', 'do[oprt]_v1_', '[a-f0-9]{40,}'],
  ['doppler', 'dp\\.(?:pt|st|ct|sa|scim|audit)\\.', '[A-Za-z0-9_.-]{20,}'],
  ['vault', 'hv[sbr]\\.', '[A-Za-z0-9_-]{20,}'],
  ['terraform', '[A-Za-z0-9]{14}\\.atlasv1\\.', '[A-Za-z0-9_=-]{40,}'],
  ['fly', 'fo1_', '[A-Za-z0-9_-]{30,}'],
  ['vercel', 'vc[piakr]_', '[A-Za-z0-9_-]{20,}'],
  ['netlify', 'nfp_', '[A-Za-z0-9]{20,}'],
  ['cloudflare', 'v1\\.0-', '[a-f0-9]{20,}-[a-f0-9]{40,}'],
  ['supabase', 'sb(?:p|_secret|_publishable)_', '[A-Za-z0-9_-]{20,}'],
  ['planetscale', 'pscale_(?:tkn|pw|oauth)_', '[A-Za-z0-9_.=-]{20,}'],
  ['databricks', 'dapi', '[a-f0-9]{32}(?:-\\d)?'],
  ['snyk, launchdarkly', '(?:snyk|api|sdk|mob)-', '[a-f0-9]{8}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{12}'],
  ['sendgrid', 'SG\\.', '[A-Za-z0-9_-]{16,}\\.[A-Za-z0-9_-]{16,}'],
  ['mailgun', '(?:key|pubkey)-', '[a-f0-9]{32}'],
  ['mailchimp', '[a-f0-9]{32}-us', '\\d{1,2}(?!\\d)'],
  ['brevo', 'x(?:keysib|smtpsib)-', '[a-f0-9]{40,}-[A-Za-z0-9]{10,}'],
  ['postman', 'PMAK-', '[A-Za-z0-9-]{30,}'],
  ['resend', 're_', '[A-Za-z0-9]{8,}_[A-Za-z0-9]{16,}'],
  ['twilio', '(?:SK|AC)', '[a-f0-9]{32}(?![A-Za-z0-9])'],
  ['telegram', '\\d{7,11}:', '[A-Za-z0-9_-]{33,}'],
  ['discord bot', '[MNO][A-Za-z0-9_-]{22,28}\\.', '[A-Za-z0-9_-]{6}\\.[A-Za-z0-9_-]{25,}'],
  ['shopify', 'shp(?:at|ca|pa|ss|ua)_', '[a-fA-F0-9]{30,}'],
  ['square', '(?:sq0[a-z]{3}-|EAAA)', '[A-Za-z0-9_-]{20,}'],
  ['linear', 'lin_(?:api|oauth)_', '[A-Za-z0-9]{30,}'],
  ['notion', '(?:secret|ntn)_', '[A-Za-z0-9]{30,}'],
  ['airtable', 'pat[A-Za-z0-9]{14}\\.', '[a-f0-9]{40,}'],
  ['asana', '[12]/\\d{10,}(?:/\\d+)?:', '[a-f0-9]{32}'],
  ['atlassian', 'ATATT3', '[A-Za-z0-9_=-]{40,}'],
  ['bitbucket', 'ATBB', '[A-Za-z0-9_=-]{24,}'],
  ['dropbox', 'sl\\.', '[A-Za-z0-9_-]{60,}'],
  ['facebook', 'EAA[A-Z]', '[A-Za-z0-9]{40,}'],
  ['grafana', 'gl(?:c|sa)_', '[A-Za-z0-9+/=_-]{20,}'],
  ['new relic', 'NR(?:AK|JS|II|AA|RA)-', '[A-Za-z0-9_-]{16,}'],
  ['sentry', 'sntr(?:ys|yu)_', '[A-Za-z0-9+/=_-]{30,}'],
  ['dynatrace', 'dt0c01\\.', '[A-Z0-9]{20,}\\.[A-Z0-9]{40,}'],
  ['pulumi', 'pul-', '[a-f0-9]{40}'],
  ['prefect', 'pn[ub]_', '[A-Za-z0-9]{30,}'],
  ['figma', 'figd_', '[A-Za-z0-9_-]{30,}'],
  ['contentful', 'CFPAT-', '[A-Za-z0-9_-]{30,}'],
  ['duffel', 'duffel_(?:test|live)_', '[A-Za-z0-9_=-]{30,}'],
  ['easypost', 'EZ[AT]K', '[A-Za-z0-9]{40,}'],
  ['frame.io', 'fio-u-', '[A-Za-z0-9_=-]{40,}'],
  ['heroku', 'HRKU-', '[A-Za-z0-9_-]{30,}'],
  ['infracost', 'ico-', '[A-Za-z0-9]{30,}'],
  ['readme', 'rdme_', '[a-z0-9]{40,}'],
  ['sumo, scalingo', 'tk-us-', '[A-Za-z0-9_-]{30,}'],
  ['shippo', 'shippo_(?:live|test)_', '[a-fA-F0-9]{30,}'],
  ['typeform', 'tfp_', '[A-Za-z0-9_.=-]{40,}'],
  ['clojars', 'CLOJARS_', '[A-Za-z0-9]{40,}'],
  ['alibaba', 'LTAI', '[A-Za-z0-9]{16,20}(?![A-Za-z0-9])'],
  ['tencent', 'AKID', '[A-Za-z0-9]{30,}'],
  ['yandex', '(?:t1\\.|AQVN)', '[A-Za-z0-9_-]{30,}(?:\\.[A-Za-z0-9_-]{40,})?'],
  ['azure storage', 'AccountKey=', '[A-Za-z0-9+/]{40,}=*'],
  ['age', 'AGE-SECRET-KEY-1', '[A-Z0-9]{50,}'],
  ['1password', '(?:ops_eyJ|A3-)', '[A-Za-z0-9_-]{26,}'],
  ['langsmith', 'ls(?:v2_(?:pt|sk)|__)_?', '[a-f0-9]{20,}(?:_[a-f0-9]+)?'],
  ['elevenlabs', 'xi-', '[a-f0-9]{30,}'],
  ['pinecone', 'pcsk_', '[A-Za-z0-9_]{40,}'],
  ['ntfy', 'tk_', '[a-z0-9]{29}(?![A-Za-z0-9])'],
  ['tailscale', 'tskey-[a-z]+-', '[A-Za-z0-9-]{16,}'],
  ['home assistant, jwt', 'eyJ', '[A-Za-z0-9_-]{8,}\\.[A-Za-z0-9_-]{8,}(?:\\.[A-Za-z0-9_-]*)?'],
];

/** Names that announce a secret value, in English and German. */
const NAMES = [
  '(?:api[_ -]?key|access[_ -]?key|secret[_ -]?key|private[_ -]?key|auth[_ -]?key|signing[_ -]?key',
  '|encryption[_ -]?key|client[_ -]?secret|secret|passw(?:or)?d|passwort|passphrase|pwd|credentials?',
  '|(?<=_)pass(?![a-z])',
  '|auth[_ -]?token|access[_ -]?token|refresh[_ -]?token|id[_ -]?token|bot[_ -]?token|api[_ -]?token',
  '|session[_ -]?(?:id|token)|token|webhook[_ -]?url)',
].join('');
const QUOTE = '\\\\?["\'`]?';

/** Secrets that are recognised by where they appear: in a header, in a URL, between BEGIN and END. */
const STRUCTURED: readonly SecretRule[] = [
  {
    name: 'private key block',
    needs: '-----BEGIN ',
    // Up to its end marker, or as far as it looks like a key: the text around it may be JSON and must stay intact.
    pattern: pattern(
      'gu',
      '-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----',
      String.raw`(?:(?:[A-Za-z0-9+/=\s:,.()-]|\\[nr])*?-----END [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----`,
      String.raw`|(?:[A-Za-z0-9+/=\s:,-]|\\[nr])*)`,
    ),
  },
  {
    name: 'chat webhook',
    needs: 'https://',
    pattern: pattern(
      'gu',
      String.raw`https:\/\/(?:[\w-]+\.)?(?:discord(?:app)?\.com\/api\/(?:v\d+\/)?webhooks`,
      String.raw`|hooks\.slack\.com\/(?:services|workflows|triggers)|[\w-]+\.webhook\.office\.com|webhook\.site)`,
      String.raw`\/[^\s"'<>\\]+`,
    ),
  },
  {
    name: 'authorization header',
    // The scheme stays readable: only what follows `Basic` or `Bearer` is hidden.
    pattern: pattern(
      'giu',
      String.raw`\b(?:proxy-)?authorization\\?["']?\s{0,4}[:=]\s{0,4}\\?["']?(?:[A-Za-z][\w-]{1,20} {1,4})?`,
      '(?<secret>[A-Za-z0-9._~+/=:-]{6,})',
    ),
  },
  { name: 'bearer', pattern: /\bbearer (?<secret>(?=[A-Za-z._~+/=-]{0,200}\d)[A-Za-z0-9._~+/=-]{12,})/giu },
  {
    name: 'cookie',
    pattern: /\b(?:set-)?cookie\\?["']?\s{0,4}[:=]\s{0,4}\\?["']?(?<secret>[^\s=;"']{1,100}=[^\r\n"'\\]{4,})/giu,
  },
  {
    name: 'address with password',
    needs: '://',
    pattern: /(?<=:\/\/)(?<secret>[^\s/?#@"'<>:]{0,200}:[^\s/?#@"'<>]{1,200})(?=@)/gu,
  },
  { name: 'address with token', needs: '://', pattern: /(?<=:\/\/)(?<secret>[A-Za-z0-9_-]{20,200})(?=@)/gu },
  {
    name: 'query parameter',
    // Only with a digit in it: `?code=invalid_request` is no secret.
    pattern: pattern(
      'giu',
      String.raw`[?&](?:[\w.-]{0,40}(?:key|token|secret|sig|signature|password|auth|code))=`,
      String.raw`(?<secret>(?=[^&\s#"'?]{0,200}\d)[^&\s#"'<>\\]{8,})`,
    ),
  },
];

/** A name that announces a secret, then `=` or `:`, then a value, which `looksSecret` has to confirm. */
export const NAMED_VALUE = pattern(
  'giu',
  `(?<=[^A-Za-z]|^|[a-z])${NAMES}[\\w.-]{0,20}${QUOTE}\\s{0,4}`,
  `(?:[:=]{1,2}>?|\\bis\\b|\\bist\\b|\\blautet\\b)\\s{0,4}${QUOTE}(?<secret>[^\\s"'\`,;<>\\\\(){}[\\]]{6,})`,
);

const TOKENS: readonly SecretRule[] = PREFIXED.map(([name, prefix, body]) => ({
  name,
  needs: literalIn(prefix),
  pattern: new RegExp(`${B}${prefix}${body}`, 'gu'),
}));

/** All patterns, in the order in which they are applied. */
export const SECRET_RULES: readonly SecretRule[] = [...STRUCTURED, ...TOKENS];

/** Occurs in every token: the shortest are `tvly-` and `xapp-` followed by ten characters. */
const TOKEN_RUN = /[\w+/=.:-]{15}/u;

/** The patterns that can match in a text. Most texts consist of words, which are shorter than any token. */
export function rulesFor(text: string): readonly SecretRule[] {
  return TOKEN_RUN.test(text) ? SECRET_RULES : STRUCTURED;
}

/** No key is longer. */
export const LONGEST_KEY = 4096;

/** The secret that a cut at a place in a text would split, or part from what it is known by; undefined: none. */
export function secretAround(text: string, at: number): { readonly start: number; readonly end: number } | undefined {
  const from = Math.max(0, at - LONGEST_KEY);
  const near = text.slice(from, at + LONGEST_KEY);
  let [start, end] = [at, at];
  for (const { pattern, needs } of [...rulesFor(near), { pattern: NAMED_VALUE, needs: undefined }]) {
    if (needs !== undefined && !near.includes(needs)) continue;
    for (const { index, 0: whole } of near.matchAll(pattern)) {
      if (from + index > at || from + index + whole.length < at) continue;
      start = Math.min(start, from + index);
      end = Math.max(end, from + index + whole.length);
    }
  }
  return start < end ? { start, end } : undefined;
}

/** The literal characters with which a prefix begins, or else ends; undefined if neither end is literal. */
function literalIn(prefix: string): string | undefined {
  const begins = /^(?:[\w-]|\\\.)+(?![\w?*+{-])/u.exec(prefix);
  const [plain] = begins ?? /(?<![\w\\-])(?:[\w-]|\\\.)+$/u.exec(prefix) ?? [];
  return plain?.replaceAll('\\', '');
}

/** Placeholders in documentation and code: `$API_KEY`, `process.env.KEY`, `your-key`, `xxxx`, `...`. */
const PLACEHOLDER = pattern(
  'iu',
  String.raw`^(?:\$|%|process\.env|os\.environ|env\.|import\.|null|none|undefined|true|false|your|my-|example`,
  String.raw`|changeme|required|optional|redacted|\*+|x{4,}|\.{3}|https?:)`,
);

/** Whether a value after such a name is a secret rather than a word, a number, a reference or a placeholder. */
export function looksSecret(value: string): boolean {
  if (PLACEHOLDER.test(value) || /^[\d.,:+-]+$/u.test(value) || isWord(value)) return false;
  return entropyBits(value) >= (value.length >= 20 ? 3 : 2.2);
}

/** Also with punctuation at its end: `/etc/passwd is refused: ...` is a sentence. */
function isWord(value: string): boolean {
  return /^\p{L}+(?:[._-]\p{L}+)*[.!?:…)]*$/u.test(value);
}

/** Shannon entropy per character, in bits. */
function entropyBits(text: string): number {
  const counts = new Map<string, number>();
  for (const char of text) counts.set(char, (counts.get(char) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}
