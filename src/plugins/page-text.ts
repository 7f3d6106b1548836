/** The visible text of an HTML page or mail, in lines. */
export async function pageText(html: string): Promise<string> {
  const { pageText: read } = await import('../tools/builtin/page-text.ts');
  return read(html);
}

/** The main content of a page as Markdown with the page's title, as `fetch_text` reads it. */
export async function pageMarkdown(html: string): Promise<{ title: string | undefined; text: string }> {
  const { readPage, writePage } = await import('../tools/builtin/page-text.ts');
  const page = readPage(html);
  return { title: page.title, text: writePage(page, 'markdown') };
}
