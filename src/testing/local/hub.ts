import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { type Received, webServer } from '../web-server.ts';

export interface HubManners {
  /** Bytes after which the first answers stop, to be broken off. */
  readonly cutAfter?: number;
  /** How many answers break off. */
  readonly cuts?: number;
  readonly ignoresRange?: boolean;
  /** One byte of the file is another. */
  readonly corrupt?: boolean;
  /** How many answers are a 503 first. */
  readonly busy?: number;
  /** What a proxy in between says instead of the file. */
  readonly page?: string;
  readonly status?: number;
  /** The file has grown by this. */
  readonly longer?: string;
}

/** A hub of models on loopback: an address that redirects to the file, with Range and ETag, and with manners. */
export async function hub(file: Buffer, manners: HubManners = {}) {
  const sha256 = createHash('sha256').update(file).digest('hex');
  const data = Buffer.concat([file, Buffer.from(manners.longer ?? '')]);
  if (manners.corrupt) data.writeUInt8((data[data.length >> 1] ?? 0) ^ 1, data.length >> 1);
  let cuts = manners.cuts ?? (manners.cutAfter === undefined ? 0 : 1);
  let busy = manners.busy ?? 0;
  const held: ServerResponse[] = [];
  /** Break off the answers that wait for it: the client has seen some of them. */
  const breakOff = () => {
    for (const response of held.splice(0)) response.destroy();
  };
  const server = await webServer((request, response) => {
    const { url = '', headers } = request;
    if (url.includes('/resolve/')) return void response.writeHead(302, { location: `/cdn/${sha256}` }).end();
    if (busy-- > 0) return void response.writeHead(503).end();
    if (manners.status) return void response.writeHead(manners.status).end();
    if (manners.page) return void response.writeHead(200, { 'content-type': 'text/html' }).end(manners.page);
    const from = manners.ignoresRange ? 0 : Number(/bytes=(\d+)-/u.exec(headers.range ?? '')?.[1] ?? 0);
    if (from >= data.length) return void response.writeHead(416).end();
    const range = manners.ignoresRange ? {} : { 'content-range': `bytes ${from}-${data.length - 1}/${data.length}` };
    response.writeHead(manners.ignoresRange ? 200 : 206, {
      etag: `"${sha256}"`,
      'content-length': data.length - from,
      ...range,
    });
    if (manners.cutAfter === undefined || cuts-- <= 0) return void response.end(data.subarray(from));
    response.write(data.subarray(from, from + manners.cutAfter));
    held.push(response);
  });
  const files = (): readonly Received[] => server.received.filter(({ url }) => url.startsWith('/cdn/'));
  return {
    url: `${server.origin}/maker/model/resolve/main/model.gguf`,
    origin: server.origin,
    sha256,
    bytes: file.length,
    files,
    breakOff,
  };
}
