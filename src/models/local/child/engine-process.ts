/**
 * The process that holds a model: native code that a bad file can bring down, and that can be killed at any time.
 * Arguments: the engine's folder, and how many threads it may use.
 */
import { constants, setPriority } from 'node:os';
import { messageOf } from '../../../base/errors.ts';
import type { ChatRequest, ChildFault, FromChild, LoadRequest, ToChild } from '../protocol.ts';
import { type Engine, type Llama, loadEngine } from './engine-api.ts';
import { inspectModel, LoadedModel, TooLong } from './loaded-model.ts';

const [, , dir = '', threads = '1'] = process.argv;

// The native code may be busy for long, and nobody is left to read what it would say.
process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));
setPriority(constants.priority.PRIORITY_BELOW_NORMAL);

class Server {
  readonly #engine: Engine;
  readonly #llama: Llama;
  #load: LoadRequest | undefined;
  #model: LoadedModel | undefined;
  #stopped = false;

  constructor(engine: Engine, llama: Llama) {
    this.#engine = engine;
    this.#llama = llama;
  }

  async handle(message: ToChild): Promise<void> {
    switch (message.type) {
      case 'inspect':
        this.#load = message.load;
        return say({ type: 'needs', needs: await inspectModel(this.#engine, this.#llama, message.load) });
      case 'load':
        if (this.#load === undefined) return;
        this.#model = await LoadedModel.load(this.#engine, this.#llama, this.#load);
        return say({ type: 'loaded' });
      case 'stop':
        this.#stopped = true;
        return;
      case 'chat':
        return this.#chat(message.chat);
    }
  }

  async #chat(chat: ChatRequest): Promise<void> {
    this.#stopped = false;
    const done = await this.#model?.chat(chat, {
      onRead: (tokens) => say({ type: 'read', tokens }),
      onText: (text) => text !== '' && say({ type: 'text', text }),
      stopped: () => this.#stopped,
    });
    if (done) say({ type: 'done', done });
  }
}

function say(message: FromChild): void {
  process.send?.(message);
}

function faultOf(error: unknown, during: ToChild['type']): ChildFault {
  if (error instanceof TooLong) return 'window';
  return during === 'chat' ? 'request' : 'file';
}

try {
  const engine = await loadEngine(dir);
  const llama = await engine.getLlama({
    ...{ gpu: process.platform === 'darwin' ? 'auto' : false, build: 'never', skipDownload: true },
    ...{ logLevel: 'disabled', progressLogs: false, maxThreads: Number(threads) },
  });
  const server = new Server(engine, llama);
  process.on('message', (message: ToChild) => {
    server.handle(message).catch((error: unknown) => {
      say({ type: 'failed', fault: faultOf(error, message.type), message: messageOf(error) });
    });
  });
  say({ type: 'up' });
} catch (error) {
  say({ type: 'failed', fault: 'file', message: `the engine does not start: ${messageOf(error)}` });
}
