import { visible } from '../../base/visible-characters.ts';

/** Escaped HTML. Only `html` makes one, so that whatever a page shows is text and never markup. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Part = string | number | Html | readonly Html[];

/** Text that is HTML already. */
export function raw(text: string): Html {
  return new Html(text);
}

/** Put values into HTML: each is escaped unless it is HTML already. */
export function html(pieces: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(pieces.map((piece, index) => piece + shown(parts[index] ?? '')).join(''));
}

function shown(part: Part): string {
  if (part instanceof Html) return part.text;
  if (typeof part === 'object') return part.map(({ text }) => text).join('\n');
  return visible(String(part)).replace(/[&<>"'`]/gu, (char) => `&#${char.charCodeAt(0)};`);
}

/** A table; a cell is text or HTML. */
export function table(head: readonly string[], rows: readonly (readonly (string | number | Html)[])[]): Html {
  if (rows.length === 0) return html`<p class="none">Nothing yet.</p>`;
  const headCells = head.map((cell) => html`<th scope="col">${cell}</th>`);
  const bodyRows = rows.map((row) => html`<tr>${row.map((cell) => html`<td>${cell}</td>`)}</tr>`);
  return html`<div class="wide"><table><thead><tr>${headCells}</tr></thead><tbody>${bodyRows}</tbody></table></div>`;
}

/** A bar of a chart. @param share from 0 to 1. */
export function meter(share: number): Html {
  const percent = Math.round(100 * Math.min(1, Math.max(0, share)));
  return html`<div class="bar"><i style="width:${percent}%"></i></div>`;
}

const STYLE = `
:root { color-scheme: light dark; --ink: #1b1f24; --dim: #5c6670; --line: #d8dee4; --page: #ffffff; --bar: #2f6fde; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6e9ec; --dim: #9aa4ae; --line: #343b43; --page: #14181c; --bar: #6ea2ff; }
}
body { margin: 0 auto; padding: 2rem 1rem; max-width: 64rem; background: var(--page); color: var(--ink);
  font: 15px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { margin: 0; font-size: 1.6rem; }
h2 { margin: 2.5rem 0 .5rem; font-size: 1.15rem; }
p.about, p.none { color: var(--dim); }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { padding: .3rem .8rem .3rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
th { color: var(--dim); font-weight: 600; white-space: nowrap; }
td { min-width: 4.5em; }
.bar { width: 10rem; height: .9rem; background: var(--line); }
.bar i { display: block; height: 100%; background: var(--bar); }
`;

/** A self-contained page: no script, no font, no picture, no link. */
export function page(title: string, about: string, sections: readonly (readonly [string, Html])[]): string {
  const policy = "default-src 'none'; style-src 'unsafe-inline'";
  const body = sections.map(([name, content]) => html`<section><h2>${name}</h2>${content}</section>`);
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<style>${new Html(STYLE)}</style>
</head>
<body>
<h1>${title}</h1>
<p class="about">${about}</p>
${body}
</body>
</html>
`.text;
}
