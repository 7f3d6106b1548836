/** Write every generated file anew: `npm run generate`. A test fails when one of them is stale. */
import { writeFileSync } from 'node:fs';
import { generateSettingFiles } from '../src/settings/generate.ts';

for (const [path, content] of Object.entries(generateSettingFiles())) writeFileSync(path, content);
