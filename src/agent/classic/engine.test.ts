import { engineContract } from './engine.contract.ts';
import { LOOPS } from './engine.ts';

for (const loop of LOOPS) engineContract(loop);
