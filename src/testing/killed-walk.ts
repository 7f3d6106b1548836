import { appendFileSync } from 'node:fs';
import { testAgent, testContext, testTurn } from './agent.ts';
import { killAtWrite } from './kill-at-write.ts';
import { LONG_TASK, walkingModel, walkTools } from './long-turn.ts';

/** Walks in a process of its own and dies by SIGKILL at a write: `node killed-walk.ts DATABASE JOURNAL WRITE FIELDS WINDOW`. */
const [, , database = '', journal = '', write = '', fields = '', window = ''] = process.argv;
const { store } = await killAtWrite(database, Number(write), () => {
  process.kill(process.pid, 'SIGKILL');
  // The signal is delivered a moment later; nothing may happen in between.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
});
const tools = walkTools((text) => appendFileSync(journal, `${text}\n`));
const agent = await testAgent(walkingModel(Number(fields)), { store, tools, window: Number(window) });
await agent.runTurn(testTurn(LONG_TASK), testContext());
