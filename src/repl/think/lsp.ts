import { toolNames } from '../../lang/runtime/tool-names.ts';
import type { CommandCall } from '../command.ts';
import { badUsage } from '../flags.ts';

/** Serve an editor over stdin and stdout until it closes them; nothing else is written to stdout. */
export async function lsp({ app, place }: CommandCall): Promise<number> {
  if (place !== 'argv') {
    throw badUsage('The prompt and an editor cannot share one terminal.', 'Let the editor start "wooster think lsp".');
  }
  const { serveEditor } = await import('../../lang/lsp/server.ts');
  return serveEditor({ input: process.stdin, output: process.stdout, tools: toolNames(app.tools.toolbox) });
}
