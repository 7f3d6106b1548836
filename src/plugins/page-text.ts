/** What a reader sees of an HTML page or mail, in lines. */
export async function pageText(html: string): Promise<string> {
  const { pageText: read } = await import('../tools/builtin/page-text.ts');
  return read(html);
}
