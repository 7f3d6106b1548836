/** Tries ThinkLang with broken programs: `node scripts/fuzz-lang.ts [COUNT] [FIRST]`. Names the first that fails. */
import { mutatedProgram, tryProgram } from '../src/testing/mutated-programs.ts';

const [count = 100_000, first = 0] = process.argv.slice(2).map(Number);
/** One that takes longer is a hang. */
const MOST_MS = 5_000;

let slowest = { seed: first, ms: 0 };
for (let seed = first; seed < first + count; seed += 1) {
  const text = mutatedProgram(seed);
  const started = performance.now();
  try {
    tryProgram(text);
  } catch (error) {
    console.error(`Program ${seed} fails:\n${text}\n`, error);
    process.exit(1);
  }
  const ms = performance.now() - started;
  if (ms > slowest.ms) slowest = { seed, ms };
}
console.log(`${count} programs without a crash; the slowest, ${slowest.seed}, took ${slowest.ms.toFixed(1)} ms`);
if (slowest.ms > MOST_MS) process.exitCode = 1;
