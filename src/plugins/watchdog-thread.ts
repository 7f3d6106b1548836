import { type Debugger, Session } from 'node:inspector';
import { parentPort, workerData } from 'node:worker_threads';
import type { BlockReport, WatchdogData } from './watchdog.ts';

/** Inspects the main thread when its heartbeat stops, and ends plugin code that runs there. */

/** Samples before it gives up: by then, what blocks the program is not a plugin. */
const MAX_LOOKS = 40;
const BETWEEN_LOOKS_MS = 50;

const { beats, tickMs, limitMs } = workerData as WatchdogData;
const roots = new Set<string>();
const scripts = new Map<string, string>();
const session = new Session();
let [last, silentMs, looks] = [-1, 0, 0];

parentPort?.on('message', (root: string) => roots.add(root));
session.on('Debugger.scriptParsed', ({ params }) => scripts.set(params.scriptId, params.url));
session.on('Debugger.paused', ({ params }) => judge(params.callFrames));

setInterval(() => {
  const now = Atomics.load(beats, 0);
  silentMs = now === last ? silentMs + tickMs : 0;
  if (silentMs === 0 && looks > 0) leave();
  last = now;
  // Ticks are counted and not time: after a sleep of the machine both threads wake up late.
  if (silentMs >= limitMs && looks === 0) look();
}, tickMs);

function look(): void {
  if (looks === 0) {
    session.connectToMainThread();
    session.post('Debugger.enable');
  }
  looks += 1;
  session.post('Debugger.pause');
}

function judge(frames: readonly Debugger.CallFrame[]): void {
  const at = frames.map((frame) => ({ frame, url: scripts.get(frame.location.scriptId) ?? '' }));
  const found = at.map(({ frame, url }) => ({ frame, url, root: [...roots].find((root) => url.startsWith(root)) }));
  const culprit = found.find(({ root }) => root !== undefined);
  if (culprit?.root !== undefined) session.post('Runtime.terminateExecution');
  session.post('Debugger.resume');
  if (culprit?.root !== undefined) tell(culprit.root, culprit.url, culprit.frame);
  else if (looks > 0 && looks < MAX_LOOKS) setTimeout(look, BETWEEN_LOOKS_MS);
}

function tell(root: string, url: string, { functionName, location }: Debugger.CallFrame): void {
  const file = url.slice(root.length).replace(/\?.*$/u, '');
  const held: BlockReport = {
    root,
    where: `${functionName || 'the code'} in ${file}, line ${location.lineNumber + 1}`,
  };
  parentPort?.postMessage(held);
}

/** The main thread has recovered. */
function leave(): void {
  looks = 0;
  scripts.clear();
  session.post('Debugger.disable');
  session.disconnect();
}
