import { parseFeed } from 'htmlparser2';
import { counted, preview } from '../../base/text.ts';
import { readHtml } from '../../rag/read/html.ts';

const MAX_ITEMS = 50;
const MAX_SUMMARY_CHARS = 300;

/** RSS and Atom are served under many media types; the root element tells them apart. */
export function isFeed(type: string, source: string): boolean {
  return /xml|rss|atom/iu.test(type) && /<(?:rss|feed|rdf:RDF)[\s>]/u.test(source.slice(0, 2000));
}

/** The title of a feed and its entries, newest as the feed has them: date, title, address and the first words. */
export function readFeed(source: string): string {
  const feed = parseFeed(source);
  if (!feed) return source;
  const items = feed.items.slice(0, MAX_ITEMS).map(({ title, link, pubDate, description }) => {
    const date = pubDate && !Number.isNaN(pubDate.getTime()) ? `${pubDate.toISOString().slice(0, 10)} ` : '';
    const words = description ? plain(description) : '';
    return [`- ${date}${title ?? 'Without a title'}`, link, words].filter((line) => line).join('\n  ');
  });
  const more = feed.items.length - items.length;
  return [
    feed.title ?? 'A feed',
    ...items,
    ...(more > 0 ? [`… ${counted(more, 'more entry', 'more entries')} not shown`] : []),
  ].join('\n');
}

/** Descriptions hold HTML. */
function plain(description: string): string {
  const { blocks } = readHtml(description, { foldLines: true });
  const text = blocks.map((block) => (block.kind === 'table' ? '' : block.text)).join(' ');
  return preview(text, MAX_SUMMARY_CHARS);
}
