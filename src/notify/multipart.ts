import type { OutgoingFile } from './channel.ts';

/** What a request with a file consists of. @param name  of the field that the file is. */
export async function multipart(
  fields: Readonly<Record<string, string>>,
  name: string,
  file: OutgoingFile,
): Promise<{ readonly headers: Readonly<Record<string, string>>; readonly body: Uint8Array }> {
  const form = new FormData();
  for (const [field, value] of Object.entries(fields)) form.set(field, value);
  form.set(name, new Blob([new Uint8Array(file.bytes)]), file.name);
  const request = new Response(form);
  const type = request.headers.get('content-type') ?? 'multipart/form-data';
  return { headers: { 'content-type': type }, body: new Uint8Array(await request.arrayBuffer()) };
}
