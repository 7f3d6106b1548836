import { mulberry32 } from '../base/mulberry32.ts';

/** Invented tokens that look like those of real services, put together at run time so that no scanner finds them here. */
export interface FakeSecret {
  readonly kind: string;
  readonly value: string;
}

const HEX = '0123456789abcdef';
const DIGITS = '0123456789';
const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const LOWER = UPPER.toLowerCase();
const ALNUM = UPPER + LOWER + DIGITS;
const URLSAFE = `${ALNUM}-_`;

/** Parts of a token: literal text, or how many characters of which alphabet. */
type Part = string | readonly [count: number, alphabet: string];

const KINDS: Readonly<Record<string, readonly Part[]>> = {
  openai: ['sk-', [48, ALNUM]],
  openaiProject: ['sk-proj-', [80, URLSAFE]],
  openaiService: ['sk-svcacct-', [60, URLSAFE]],
  anthropic: ['sk-ant-api03-', [93, URLSAFE], 'AA'],
  anthropicAdmin: ['sk-ant-admin01-', [93, URLSAFE], 'AA'],
  openrouter: ['sk-or-v1-', [64, HEX]],
  deepseek: ['sk-', [32, HEX]],
  groq: ['gsk_', [52, ALNUM]],
  xai: ['xai-', [80, ALNUM]],
  perplexity: ['pplx-', [48, ALNUM]],
  replicate: ['r8_', [37, ALNUM]],
  nvidia: ['nvapi-', [64, URLSAFE]],
  fireworks: ['fw_', [24, ALNUM]],
  huggingface: ['hf_', [34, LOWER + UPPER]],
  huggingfaceOrg: ['api_org_', [34, LOWER + UPPER]],
  googleApi: ['AIza', [35, URLSAFE]],
  googleOauth: ['ya29.', [60, URLSAFE]],
  googleClient: ['GOCSPX-', [28, URLSAFE]],
  githubClassic: ['ghp_', [36, ALNUM]],
  githubOauth: ['gho_', [36, ALNUM]],
  githubUser: ['ghu_', [36, ALNUM]],
  githubServer: ['ghs_', [36, ALNUM]],
  githubRefresh: ['ghr_', [36, ALNUM]],
  githubFine: ['github_pat_', [22, ALNUM], '_', [59, ALNUM]],
  gitlab: ['glpat-', [20, URLSAFE]],
  gitlabRunner: ['glrt-', [20, URLSAFE]],
  gitlabDeploy: ['gldt-', [20, URLSAFE]],
  slackBot: ['xoxb-', [12, DIGITS], '-', [12, DIGITS], '-', [24, ALNUM]],
  slackUser: ['xoxp-', [12, DIGITS], '-', [12, DIGITS], '-', [32, HEX]],
  slackApp: ['xapp-1-A', [10, UPPER + DIGITS], '-', [13, DIGITS], '-', [64, HEX]],
  slackHook: ['https://hooks.slack.com/services/T', [8, UPPER], '/B', [8, UPPER], '/', [24, ALNUM]],
  awsKey: ['AKIA', [16, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567']],
  awsSession: ['ASIA', [16, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567']],
  telegram: [[10, '123456789'], ':AA', [33, URLSAFE]],
  tavily: ['tvly-', [32, ALNUM]],
  tavilyDev: ['tvly-dev-', [32, ALNUM]],
  discordBot: ['MT', [22, ALNUM], '.G', [5, ALNUM], '.', [38, URLSAFE]],
  discordHook: ['https://discord.com/api/webhooks/', [18, DIGITS], '/', [68, URLSAFE]],
  discordOldHook: ['https://discordapp.com/api/webhooks/', [18, DIGITS], '/', [68, URLSAFE]],
  teamsHook: ['https://acme.webhook.office.com/webhookb2/', [36, HEX], '/IncomingWebhook/', [32, HEX]],
  jwt: ['eyJ', [30, ALNUM], '.eyJ', [60, ALNUM], '.', [43, URLSAFE]],
  stripeLive: ['sk_live_', [24, ALNUM]],
  stripeTest: ['sk_test_', [24, ALNUM]],
  stripeRestricted: ['rk_live_', [24, ALNUM]],
  stripeHook: ['whsec_', [32, ALNUM]],
  npm: ['npm_', [36, ALNUM]],
  pypi: ['pypi-AgEIcHlwaS5vcmc', [80, URLSAFE]],
  rubygems: ['rubygems_', [48, HEX]],
  docker: ['dckr_pat_', [27, URLSAFE]],
  digitalocean: ['dop_v1_', [64, HEX]],
  digitaloceanOauth: ['doo_v1_', [64, HEX]],
  doppler: ['dp.pt.', [43, ALNUM]],
  vault: ['hvs.', [90, URLSAFE]],
  vaultBatch: ['hvb.', [90, URLSAFE]],
  terraform: [[14, ALNUM], '.atlasv1.', [64, URLSAFE]],
  fly: ['fo1_', [43, URLSAFE]],
  netlify: ['nfp_', [36, ALNUM]],
  supabase: ['sbp_', [40, HEX]],
  supabaseSecret: ['sb_secret_', [30, ALNUM]],
  planetscale: ['pscale_tkn_', [43, ALNUM]],
  planetscalePassword: ['pscale_pw_', [43, ALNUM]],
  databricks: ['dapi', [32, HEX]],
  sendgrid: ['SG.', [22, URLSAFE], '.', [43, URLSAFE]],
  mailgun: ['key-', [32, HEX]],
  mailchimp: [[32, HEX], '-us12'],
  brevo: ['xkeysib-', [64, HEX], '-', [16, ALNUM]],
  postman: ['PMAK-', [24, HEX], '-', [34, HEX]],
  resend: ['re_', [8, ALNUM], '_', [24, ALNUM]],
  twilio: ['SK', [32, HEX]],
  shopify: ['shpat_', [32, HEX]],
  shopifySecret: ['shpss_', [32, HEX]],
  square: ['sq0csp-', [43, URLSAFE]],
  squareAccess: ['EAAA', [60, URLSAFE]],
  linear: ['lin_api_', [40, ALNUM]],
  notion: ['ntn_', [46, ALNUM]],
  notionOld: ['secret_', [43, ALNUM]],
  airtable: ['pat', [14, ALNUM], '.', [64, HEX]],
  asana: ['1/', [16, DIGITS], ':', [32, HEX]],
  atlassian: ['ATATT3', [186, URLSAFE]],
  bitbucket: ['ATBB', [32, ALNUM]],
  dropbox: ['sl.', [140, URLSAFE]],
  facebook: ['EAAC', [120, ALNUM]],
  grafanaCloud: ['glc_', [60, ALNUM]],
  grafanaService: ['glsa_', [32, ALNUM], '_', [8, HEX]],
  newRelic: ['NRAK-', [27, UPPER + DIGITS]],
  sentry: ['sntrys_', [60, ALNUM]],
  dynatrace: ['dt0c01.', [24, UPPER + DIGITS], '.', [64, UPPER + DIGITS]],
  pulumi: ['pul-', [40, HEX]],
  prefect: ['pnu_', [36, ALNUM]],
  figma: ['figd_', [40, URLSAFE]],
  contentful: ['CFPAT-', [43, URLSAFE]],
  duffel: ['duffel_live_', [43, URLSAFE]],
  easypost: ['EZAK', [54, ALNUM]],
  frameio: ['fio-u-', [64, URLSAFE]],
  heroku: ['HRKU-', [60, URLSAFE]],
  infracost: ['ico-', [32, ALNUM]],
  readme: ['rdme_', [70, LOWER + DIGITS]],
  shippo: ['shippo_live_', [40, HEX]],
  typeform: ['tfp_', [59, ALNUM]],
  clojars: ['CLOJARS_', [60, LOWER + DIGITS]],
  alibaba: ['LTAI', [20, ALNUM]],
  langsmith: ['lsv2_pt_', [32, HEX], '_', [10, HEX]],
  pinecone: ['pcsk_', [60, ALNUM]],
  ntfy: ['tk_', [29, LOWER + DIGITS]],
  tailscale: ['tskey-auth-', [17, ALNUM], '-', [32, ALNUM]],
  age: ['AGE-SECRET-KEY-1', [58, UPPER + DIGITS]],
  azureStorage: ['AccountKey=', [86, ALNUM], '=='],
  pem: ['-----BEGIN PRIVATE', ' KEY-----\n', [64, ALNUM], '\n', [64, ALNUM], '\n-----END PRIVATE KEY-----'],
  userinfo: ['https://admin:', [14, ALNUM], '@db.example.org/'],
};

export const SECRET_KINDS: readonly string[] = Object.keys(KINDS);

/** `perKind` tokens of every kind, the same for the same seed. */
export function fakeSecrets(perKind: number, seed = 1): FakeSecret[] {
  const random = mulberry32(seed);
  const make = (part: Part) => (typeof part === 'string' ? part : draw(part[0], part[1], random));
  return Object.entries(KINDS).flatMap(([kind, parts]) =>
    Array.from({ length: perKind }, () => ({ kind, value: parts.map(make).join('') })),
  );
}

function draw(count: number, alphabet: string, random: () => number): string {
  return Array.from({ length: count }, () => alphabet[Math.floor(random() * alphabet.length)]).join('');
}
