import { resolve } from 'node:path';
import { AssistantError, messageOf } from '../../base/errors.ts';
import { replaceFile } from '../../base/replace-file.ts';
import type { Command } from '../command.ts';
import { textFlag } from '../flags.ts';
import { reportPage } from '../report/report-page.ts';

/** One page of HTML that needs nothing else: no script, no network. For its owner's eyes only. Row: `{output}`. */
export const report: Command = {
  name: 'report',
  summary: 'Write the week, jobs, sources, effects and usage to one HTML page',
  group: 'Maintenance',
  usage: ['report [--output FILE]      report.html of the current folder unless given'],
  examples: ['report --output june.html'],
  flags: { output: { type: 'string' } },
  async run({ app, out, flags, signal }) {
    const output = resolve(textFlag(flags, 'output') ?? 'report.html');
    const text = await reportPage(app, new Date());
    try {
      await replaceFile(output, text, { signal });
    } catch (cause) {
      const hint = 'Choose a folder that exists and is writable.';
      throw new AssistantError('path_refused', `Cannot write ${output}: ${messageOf(cause)}.`, { hint, cause });
    }
    out.show({ output }, `Written to ${output}`);
    return 0;
  },
};
