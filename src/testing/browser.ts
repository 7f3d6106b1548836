import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];
const SIZE = { width: 900, height: 1100, deviceScaleFactor: 1, mobile: false };

/** The headless browser of this machine; undefined where there is none. */
export function findBrowser(): string | undefined {
  return NAMES.find((name) => spawnSync(name, ['--version']).status === 0);
}

/** Where it is. @throws Error where there is none. */
export function browserPath(): string {
  const name = findBrowser();
  if (name === undefined) throw new Error('There is no Chromium: apt-get install chromium');
  return execFileSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim();
}

/** What a page says in reply to a command of the DevTools protocol. */
type Reply = Readonly<Record<string, unknown>>;

/** A page in a headless browser. @see https://chromedevtools.github.io/devtools-protocol/ */
export interface Page {
  send(method: string, params?: Reply): Promise<Reply>;
  /** The value of an expression; scripts of the page itself only run where the opening says so. */
  value(expression: string): Promise<unknown>;
  /** What was asked of the network or of other files, and what was complained about. */
  readonly complaints: readonly string[];
  /** The upper part of the page. @param height  in pixels. */
  screenshot(height: number): Promise<Buffer>;
  close(): Promise<void>;
}

/** What to open, and how. */
export interface Opening {
  readonly browser: string;
  readonly file: string;
  readonly scheme: 'light' | 'dark';
  /** A folder for the browser's own files; it goes when the page is closed. */
  readonly profile: string;
  /** Run the scripts of the page. */
  readonly scripts?: true;
}

/** Open a file in one of the two colour schemes. */
export async function openPage({ browser, file, scheme, profile, scripts }: Opening): Promise<Page> {
  const flags = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking', '--no-first-run'];
  const child = spawn(browser, [...flags, `--user-data-dir=${profile}`, '--remote-debugging-port=0', 'about:blank'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const complaints: string[] = [];
  const socket = new WebSocket(await pageAddress(await addressOf(child)));
  await once(socket, 'open');
  const answers = new Map<number, (reply: Reply) => void>();
  const events = new Map<string, () => void>();
  const url = pathToFileURL(file).href;
  socket.addEventListener('message', ({ data }) => {
    const { id, method, params, result, error } = JSON.parse(String(data));
    if (id !== undefined) answers.get(id)?.(result ?? { error });
    if (method === 'Page.loadEventFired') events.get(method)?.();
    if (method === 'Log.entryAdded') complaints.push(params.entry.text);
    if (method === 'Network.requestWillBeSent' && params.request.url !== url) complaints.push(params.request.url);
  });
  let sent = 0;
  const send = (method: string, params: Reply = {}) =>
    new Promise<Reply>((resolve) => {
      sent += 1;
      answers.set(sent, resolve);
      socket.send(JSON.stringify({ id: sent, method, params }));
    });
  for (const domain of ['Page', 'Log', 'Network']) await send(`${domain}.enable`);
  await send('Emulation.setScriptExecutionDisabled', { value: scripts !== true });
  await send('Emulation.setDeviceMetricsOverride', SIZE);
  await send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: scheme }] });
  const loaded = new Promise<void>((resolve) => events.set('Page.loadEventFired', resolve));
  await send('Page.navigate', { url });
  await loaded;
  return {
    ...{ send, complaints },
    async value(expression) {
      const { result } = await send('Runtime.evaluate', { expression, returnByValue: true });
      return (result as { value?: unknown }).value;
    },
    async screenshot(height) {
      const clip = { x: 0, y: 0, width: SIZE.width, height, scale: 1 };
      const { data } = await send('Page.captureScreenshot', { format: 'png', clip });
      return Buffer.from(String(data), 'base64');
    },
    async close() {
      await send('Browser.close');
      if (child.exitCode === null) await once(child, 'exit');
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** The port on which the browser listens; it says so on stderr. */
async function addressOf(child: ChildProcess): Promise<string> {
  let said = '';
  for await (const part of child.stderr ?? []) {
    said += String(part);
    const found = /ws:\/\/(127\.0\.0\.1:\d+)\//u.exec(said)?.[1];
    if (found) {
      child.stderr?.resume();
      return found;
    }
  }
  throw new Error(`The browser did not start:\n${said}`);
}

async function pageAddress(address: string): Promise<string> {
  const pages = (await (await fetch(`http://${address}/json`)).json()) as {
    type: string;
    webSocketDebuggerUrl: string;
  }[];
  return pages.find(({ type }) => type === 'page')?.webSocketDebuggerUrl ?? '';
}
