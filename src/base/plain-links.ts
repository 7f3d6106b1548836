import { pattern } from './pattern.ts';

/** Which URLs may stay links. */
export interface LinkRules {
  /** True for a URL that the user, a search result or the allow-list named. */
  mayLink(url: string): boolean;
  /** Also drop the scheme of bare URLs, so that no terminal or app turns them into links. */
  readonly bare: boolean;
}

const FENCE = /^(?: {0,3})(`{3,}|~{3,})[^\n]*\n[\s\S]*?^ {0,3}\1[`~]*[ \t]*$/gmu;
const IMAGE = /!\[([^\]\n]{0,500})\]\(\s{0,3}<?([^\s)>]{1,4000})>?[^)\n]{0,500}\)/gu;
const IMAGE_REFERENCE = /!\[([^\]\n]{0,500})\]\[([^\]\n]{0,200})\]/gu;
const LINK = /\[([^\]\n]{0,500})\]\(\s{0,3}<?([^\s)>]{1,4000})>?[^)\n]{0,500}\)/gu;
const DEFINITION = /^( {0,3}\[[^\]\n]{1,200}\]:\s{0,3})<?(\S{1,4000}?)>?((?:\s[^\n]{0,500})?)$/gmu;
/** HTML elements that load or link an address: `<img src="https://...">`, and their closing tags. */
const TAG = pattern(
  'giu',
  String.raw`<(\/?)(img|a|iframe|video|audio|source|embed|object|link|script|picture|svg|style|form|base|meta)\b`,
  '([^<>]{0,4000})>',
);
const TAG_ADDRESS = /(?:src|href|srcset|data|action|poster|content)\s{0,3}=\s{0,3}["']?([^"'\s>]{1,4000})/iu;
const AUTOLINK = /<((?:https?|ftp|mailto|tel|data|file|javascript):[^\s<>]{1,4000})>/giu;
const BARE = /\b(?:https?|ftp):\/\/[^\s<>"'`)\]]{0,4000}[^\s<>"'`)\].,;:!?]/giu;

/**
 * Write the images, links and embedded HTML of an answer as plain text, unless `rules` allow their URL.
 *
 * A renderer that loads or previews a URL by itself would send whatever the URL contains to its host, which is how
 * injected instructions leak private text. Code blocks are left alone: nothing in them is loaded.
 */
export function plainLinks(text: string, rules: LinkRules): string {
  let plain = '';
  let from = 0;
  for (const { index, 0: fence } of text.matchAll(FENCE)) {
    plain += plainPart(text.slice(from, index), rules) + fence;
    from = index + fence.length;
  }
  return plain + plainPart(text.slice(from), rules);
}

/** Text outside code blocks. The order matters: images before links, since an image looks like a link behind a `!`. */
function plainPart(text: string, rules: LinkRules): string {
  const written = (address: string) => (rules.bare ? address.replace(/^[a-z][a-z0-9+.-]*:(?:\/\/)?/iu, '') : address);
  const unless = (whole: string, address: string, plain: string) => (rules.mayLink(address) ? whole : plain);
  const marked = text
    .replace(IMAGE, (whole, alt: string, url: string) => unless(whole, url, `${alt || 'image'} (${written(url)})`))
    .replace(IMAGE_REFERENCE, (_whole, alt: string, name: string) => `${alt || 'image'} (${name})`)
    .replace(LINK, (whole, label: string, url: string) => unless(whole, url, `${label} (${written(url)})`))
    .replace(DEFINITION, (whole, head: string, url: string, rest: string) =>
      unless(whole, url, `${head.replace(/[[\]]/gu, '')}${written(url)}${rest}`),
    )
    .replace(AUTOLINK, (whole, url: string) => unless(whole, url, written(url)))
    .replace(TAG, (whole, slash: string, _name: string, attributes: string) => {
      const url = TAG_ADDRESS.exec(attributes)?.[1];
      if (slash !== '' || url === undefined) return '';
      return unless(whole, url, `(${written(url)}) `);
    });
  return rules.bare ? marked.replace(BARE, (url) => unless(url, url, written(url))) : marked;
}
