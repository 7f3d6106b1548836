/** Longest text that a model or a document hands over at once. */
const HOSTILE_CHARS = 65_536;

/** Beginnings that repeat, or that something never comes after: what makes a careless pattern try every combination. */
const UNITS = [
  ...[' ', '\n', '\t', ' \n', 'a', 'a ', 'a-', 'a.', '.', '. ', ',', '-', '=', '@', '0', '1:', '://', 'https://'],
  ...['![](', '![', '[', '](', '[a](b ', '](<', '[a]: ', '[x][', '<', '<a ', '<img src=x ', '<code ', '<think>', '</'],
  ...['`', '```', '```\n', '~~~\n', '``` a', '"', '“', '„', '(', '((', '{', '\\', '\u001b]', '*', '**a', '> ', '\n> '],
  ...['key ', 'token=', 'cookie=', 'bearer ', '-----BEGIN ', '-----BEGIN PRIVATE KEY-----', 'https://a.', 'a@a.'],
  ...['import ', 'const a', 'a(', 'ich habe ', 'I have ', 'message is ', 'notiz wurde ', 'nachricht ', 'and then '],
  ...['é', 'e\u0300', '\u200b', '漢', '。', '😀', 'İ', 'ﬀ'],
];

/** Texts of 64 KB that should take no longer than any other text of that length. */
export const HOSTILE_SHAPES: readonly (readonly [name: string, text: string])[] = UNITS.map((unit) => [
  `${JSON.stringify(unit)} again and again`,
  repeated(unit),
]);

/** Ordinary text of the same length. */
export const PLAIN_TEXT: string = repeated(
  'The kettle boils at ten, and Anna reads https://page.example/a (in bed).\n',
);

export function repeated(unit: string, chars: number = HOSTILE_CHARS): string {
  return unit.repeat(Math.ceil(chars / unit.length)).slice(0, chars);
}

/** The shortest of a few runs, in ms: what a busy machine adds is not the program's. */
export function fastest(
  run: () => void,
  { times, enoughMs }: { readonly times: number; readonly enoughMs: number },
): number {
  let best = Number.POSITIVE_INFINITY;
  for (let time = 0; time < times && best > enoughMs; time++) {
    const started = performance.now();
    run();
    best = Math.min(best, performance.now() - started);
  }
  return best;
}

/** What counts as no time at all. */
const LEAST_MS = 5;

/**
 * How many times as long a text takes as an eighth of it: 8 where time grows with the length, 64 where with its square.
 * It is the time that this thread computes, since others on a busy machine are the longer in the way the longer it takes.
 */
export function growth(read: (text: string) => unknown, textOf: (chars: number) => string, chars: number): number {
  const [eighth = 0, whole = 0] = [chars / 8, chars].map((length) => {
    const text = textOf(length);
    return Math.min(...[1, 2, 3].map(() => computed(() => read(text))));
  });
  return whole / Math.max(eighth, LEAST_MS);
}

/** In ms. */
function computed(run: () => void): number {
  const before = process.threadCpuUsage();
  run();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}
