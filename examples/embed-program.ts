import { writeFileSync } from 'node:fs';
import { runProgram } from 'wooster';

writeFileSync('eggs.tl', 'param count: int = 3\nprint "eggs: " + count\nreturn count * 0.5\n');
const { value, printed, cost } = await runProgram('eggs.tl', { count: 4 }, { home: './wooster-data' });
console.log(printed, value, cost.calls);
