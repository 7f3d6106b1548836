const MIN_SECRET_CHARS = 6;

/** Shapes that are secrets wherever they stand. The value group is what gets hidden. */
const SHAPES: readonly RegExp[] = [
  /\bsk-[A-Za-z0-9_-]{16,}/gu,
  /\b(?:ghp|gho|ghs|ghu|github_pat)_[A-Za-z0-9_]{20,}/gu,
  /\bxox[abprs]-[A-Za-z0-9-]{10,}/gu,
  /\bAIza[A-Za-z0-9_-]{30,}/gu,
  /\bAKIA[A-Z0-9]{16}\b/gu,
  /\btvly-[A-Za-z0-9-]{10,}/gu,
  /\bhttps:\/\/(?:\w+\.)?discord(?:app)?\.com\/api\/(?:v\d+\/)?webhooks\/\S+/gu,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/gu,
  /(?<=\b[Aa]uthorization["']?\s*[:=]\s*["']?(?:[Bb]earer |[Bb]asic )?)[A-Za-z0-9._~+/=-]{8,}/gu,
  /(?<=\/\/)[^/\s:@]+:[^/\s:@]+(?=@)/gu,
];

/** Hides secrets in text: the known values in their usual spellings first, then by shape. */
export class Redactor {
  readonly #known: string[] = [];

  /** @param secrets values from settings; shorter than six characters they would hide ordinary words and are left. */
  constructor(secrets: Iterable<string> = []) {
    for (const secret of secrets) this.add(secret);
  }

  add(secret: string): void {
    if (secret.length < MIN_SECRET_CHARS) return;
    this.#known.push(...spellings(secret));
    this.#known.sort((a, b) => b.length - a.length);
  }

  redact(text: string): string {
    let clean = text;
    for (const known of this.#known) if (clean.includes(known)) clean = clean.replaceAll(known, '[secret]');
    for (const shape of SHAPES) clean = clean.replace(shape, '[secret]');
    return clean;
  }

  /** Redact every string inside a JSON-like value; the value itself is not changed. */
  redactValue(value: unknown): unknown {
    if (typeof value === 'string') return this.redact(value);
    if (Array.isArray(value)) return value.map((item) => this.redactValue(item));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [this.redact(key), this.redactValue(inner)]));
  }
}

function spellings(secret: string): string[] {
  const bytes = Buffer.from(secret, 'utf8');
  const forms = [
    secret,
    bytes.toString('base64').replace(/=+$/u, ''),
    bytes.toString('base64url'),
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
  ];
  return [...new Set(forms)];
}
