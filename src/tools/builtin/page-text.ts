/** Elements whose content is never text for a reader. */
const DROPPED = ['script', 'style', 'noscript', 'template', 'svg', 'head', 'iframe', 'object'];
const BLOCKS =
  'address|article|aside|blockquote|br|dd|div|dl|dt|figure|footer|form|h[1-6]|header|hr|li|main|nav|ol|p|pre|section|table|td|th|tr|ul';

const ENTITIES: Readonly<Record<string, string>> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ', mdash: '—', ndash: '–', hellip: '…' },
  ...{ lsquo: '‘', rsquo: '’', ldquo: '“', rdquo: '”', copy: '©', reg: '®', deg: '°', euro: '€', middot: '·' },
};

/** What a reader sees of an HTML page: the title, then its text, one line per block, white space folded. */
export function pageText(html: string): string {
  const title = firstElement(html, 'title');
  let text = html.replace(/<!--[\s\S]*?(?:-->|$)/gu, ' ');
  for (const name of DROPPED) text = dropElements(text, name);
  const body = decodeEntities(
    text
      .replace(/\s+/gu, ' ')
      .replace(new RegExp(`</?(?:${BLOCKS})\\b[^<>]*>`, 'giu'), '\n')
      .replace(/<[^<>]*>/gu, ''),
  );
  return foldSpace(title === '' ? body : `${title}\n${body}`);
}

/** The text of a piece of HTML on one line. */
export function inlineText(html: string): string {
  return decodeEntities(html.replace(/<[^<>]*>/gu, ''))
    .replace(/\s+/gu, ' ')
    .trim();
}

/** `&amp;`, `&#39;`, `&#x27;` as the characters they stand for; unknown names are left. */
export function decodeEntities(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{2,8}));/giu, (whole, decimal, hex, name: string) => {
    if (name !== undefined) return ENTITIES[name.toLowerCase()] ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '';
  });
}

/** Spaces folded, blank lines gone. */
export function foldSpace(text: string): string {
  return text
    .split('\n')
    .map((line) => line.replace(/\s+/gu, ' ').trim())
    .filter((line) => line !== '')
    .join('\n');
}

/** Cut out `<name …>…</name>`; an element that is never closed goes to the end of the page. */
function dropElements(html: string, name: string): string {
  const lower = html.toLowerCase();
  let kept = '';
  let from = 0;
  for (;;) {
    const start = openingOf(lower, name, from);
    if (start < 0) return kept + html.slice(from);
    kept += `${html.slice(from, start)}\n`;
    const close = lower.indexOf(`</${name}`, start);
    const end = close < 0 ? -1 : lower.indexOf('>', close);
    if (end < 0) return kept;
    from = end + 1;
  }
}

function openingOf(lower: string, name: string, from: number): number {
  for (let at = lower.indexOf(`<${name}`, from); at >= 0; at = lower.indexOf(`<${name}`, at + 1))
    if (!/[a-z0-9-]/u.test(lower[at + name.length + 1] ?? '')) return at;
  return -1;
}

function firstElement(html: string, name: string): string {
  const lower = html.toLowerCase();
  const start = openingOf(lower, name, 0);
  const close = start < 0 ? -1 : lower.indexOf(`</${name}`, start);
  return close < 0 ? '' : inlineText(html.slice(lower.indexOf('>', start) + 1, close));
}
