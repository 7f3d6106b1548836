/** A file that a program has sent. */
export interface SentFile {
  readonly name: string;
  readonly bytes: Buffer;
}

/** The fields and files of a request; no fields where it is no form. */
export async function readForm(bytes: Buffer, type: string) {
  const files: SentFile[] = [];
  if (!type.startsWith('multipart/')) return { fields: undefined, files };
  const form = await new Response(new Uint8Array(bytes), { headers: { 'content-type': type } }).formData();
  const fields: Record<string, string> = {};
  for (const [name, value] of form)
    if (typeof value === 'string') fields[name] = value;
    else files.push({ name: value.name, bytes: Buffer.from(await value.arrayBuffer()) });
  return { fields, files };
}
