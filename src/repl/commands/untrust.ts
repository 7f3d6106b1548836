import type { Command } from '../command.ts';
import { declare } from './trust.ts';

/** Marks a file or a folder as the text of others, whatever it holds now or later. Rows: `{path, trust}`. */
export const untrust: Command = {
  name: 'untrust',
  summary: 'Treat the text of a file or a folder as written by others',
  group: 'Tools and approvals',
  usage: ['untrust PATH      a file or a folder, whatever it holds now or later'],
  examples: ['untrust downloads'],
  run: (call) => declare(call, true),
};
