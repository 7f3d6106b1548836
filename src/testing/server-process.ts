import { spawn } from 'node:child_process';
import type { AddressInfo } from 'node:net';
import { connect, createServer } from 'node:net';

/** A program that serves a port of this machine until `stop`. */
export interface ServerProcess {
  stop(): Promise<void>;
}

/** A port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/**
 * Start a server from a Debian package and wait until it answers on its port.
 *
 * @throws Error with what it printed, or that it is not installed.
 */
export async function startServer(command: string, args: readonly string[], port: number): Promise<ServerProcess> {
  // Where Debian puts servers is not in everybody's path.
  const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` };
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], env });
  let printed = '';
  let ended: Error | undefined;
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (printed += part.toString()));
  const exit = new Promise<void>((resolve) => {
    child.once('error', (error) => {
      ended = new Error(`${command} cannot be started; install it (.ci/run does): ${error.message}`);
      resolve();
    });
    child.once('exit', (code) => {
      ended ??= new Error(`${command} ended with ${code}: ${printed}`);
      resolve();
    });
  });
  for (let tries = 0; tries < 200 && !ended; tries++) {
    if (await answers(port)) {
      return {
        stop: async () => {
          child.kill('SIGTERM');
          await exit;
        },
      };
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  child.kill('SIGKILL');
  throw ended ?? new Error(`${command} does not answer on port ${port}: ${printed}`);
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    const end = (open: boolean) => {
      socket.destroy();
      resolve(open);
    };
    socket.once('connect', () => end(true));
    socket.once('error', () => end(false));
  });
}
