/** What every page of the docs site shares, as text for a browser. */

export const STYLE = `:root { color-scheme: light dark; --ink: #1b1f24; --dim: #57606a; --line: #d8dee4; --page: #fff;
  --box: #f4f6f8; --link: #0b57c4; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6e9ec; --dim: #9aa4ae; --line: #343b43; --page: #14181c; --box: #1d2329; --link: #8ab8ff; }
}
body { margin: 0; display: grid; grid-template-columns: 15rem minmax(0, 48rem); gap: 0 2.5rem; color: var(--ink);
  background: var(--page); font: 16px/1.6 system-ui, sans-serif; }
nav { padding: 1rem; border-right: 1px solid var(--line); min-height: 100vh; box-sizing: border-box; }
nav h2 { font-size: .85rem; color: var(--dim); margin: 1.2rem 0 .3rem; }
nav ul, nav ol { list-style: none; margin: 0; padding: 0; }
nav input { width: 100%; box-sizing: border-box; font: inherit; padding: .3rem .5rem; }
nav ol a { display: block; padding: .3rem 0; } nav ol small { display: block; color: var(--dim); }
a { color: var(--link); } nav a { text-decoration: none; } nav a[aria-current] { font-weight: 600; color: var(--ink); }
main { padding: 1rem 1rem 6rem; overflow-wrap: anywhere; }
main img { max-width: 100%; }
pre, code { background: var(--box); font-size: .9em; }
pre { padding: .7rem 1rem; overflow-x: auto; } pre code { font-size: inherit; }
table { border-collapse: collapse; display: block; overflow-x: auto; }
th, td { border: 1px solid var(--line); padding: .3rem .6rem; text-align: left; vertical-align: top; }
@media (max-width: 50rem) { body { display: block; } nav { min-height: 0; border: 0; } }
`;

/** `FOUND` has a row for each heading: path, page, heading, text. Every word has to occur; headings come first. */
export const SCRIPT = String.raw`const MOST = 12;
const input = document.querySelector('input[type=search]');
const list = document.getElementById('found');
const root = document.body.dataset.root;
function weight([, page, heading, text], words) {
  const [high, low] = [(page + ' ' + heading).toLowerCase(), text.toLowerCase()];
  let sum = 0;
  for (const word of words) {
    if (high.includes(word)) sum += 10;
    else if (low.includes(word)) sum += 1;
    else return 0;
  }
  return sum;
}
function around(text, words) {
  const at = Math.max(0, ...words.map((word) => text.toLowerCase().indexOf(word)));
  return (at > 30 ? '… ' : '') + text.slice(Math.max(0, at - 30), at + 90);
}
input.addEventListener('input', () => {
  const words = input.value.toLowerCase().split(/\s+/u).filter(Boolean);
  const hits = words.length === 0 ? [] : FOUND.map((row) => [weight(row, words), row]).filter(([sum]) => sum > 0);
  hits.sort(([one], [other]) => other - one);
  list.replaceChildren(...hits.slice(0, MOST).map(([, row]) => {
    const item = document.createElement('li');
    const link = item.appendChild(document.createElement('a'));
    link.href = root + row[0];
    link.textContent = row[2] === '' ? row[1] : row[1] + ': ' + row[2];
    link.appendChild(document.createElement('small')).textContent = around(row[3], words);
    return item;
  }));
});
`;
