/** Write every generated file anew: `npm run generate`. A test fails when one of them is stale. */
import { writeFileSync } from 'node:fs';
import { generateFiles } from './generated-files.ts';

for (const [path, content] of Object.entries(await generateFiles())) writeFileSync(path, content);
