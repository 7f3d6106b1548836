/** Regenerate every generated file: `npm run generate`. src/generated.test.ts fails when one of them is stale. */
import { writeFileSync } from 'node:fs';
import { generateFiles } from './generated-files.ts';

for (const [path, content] of Object.entries(await generateFiles())) writeFileSync(path, content);
