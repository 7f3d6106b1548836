import type { Readable, Writable } from 'node:stream';
import { type Served, serverFace } from './server-face.ts';

export interface ServeStreams {
  readonly input: Readable;
  readonly output: Writable;
  readonly signal: AbortSignal;
  readonly onError: (error: Error) => void;
}

/** Serve one client over two streams, until it disconnects or the signal fires. Nothing else may write to `output`. */
export async function serveStdio(served: Served, { input, output, signal, onError }: ServeStreams): Promise<void> {
  const [sdk, stdio] = await Promise.all([
    import('@modelcontextprotocol/server'),
    import('@modelcontextprotocol/server/stdio'),
  ]);
  const transport = new stdio.StdioServerTransport(input, output);
  const { promise, resolve } = Promise.withResolvers<void>();
  const handle = stdio.serveStdio(() => serverFace(served, sdk), { transport, onerror: onError });
  input.once('end', resolve).once('close', resolve);
  signal.addEventListener('abort', () => resolve(), { once: true });
  if (signal.aborted) resolve();
  await promise;
  await handle.close();
}
