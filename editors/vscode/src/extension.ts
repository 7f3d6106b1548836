import { commands, type ExtensionContext, type FileSystemWatcher, window, workspace } from 'vscode';
import { LanguageClient } from 'vscode-languageclient/node';

let client: LanguageClient | undefined;
/** Restarts wait for each other: a client that is still starting cannot be stopped. */
let last = Promise.resolve();

/** Start the language server with the first ThinkLang file, and again with the command or another setting. */
export async function activate({ subscriptions }: ExtensionContext): Promise<void> {
  const programs = workspace.createFileSystemWatcher('**/*.tl');
  const restart = () => (last = last.then(stop).then(() => start(programs)));
  subscriptions.push(
    programs,
    commands.registerCommand('thinklang.restart', restart),
    workspace.onDidChangeConfiguration(async (change) => {
      if (change.affectsConfiguration('thinklang.server.command')) await restart();
    }),
  );
  await restart();
}

export async function deactivate(): Promise<void> {
  await last.then(stop);
}

/** One that did not start has nothing to stop; one that hangs is replaced all the same. */
async function stop(): Promise<void> {
  const old = client;
  client = undefined;
  if (old?.isRunning()) await old.dispose().catch(() => undefined);
}

async function start(fileEvents: FileSystemWatcher): Promise<void> {
  const command = workspace.getConfiguration('thinklang').get<string>('server.command') || 'wooster';
  client = new LanguageClient(
    'thinklang',
    'ThinkLang',
    { command, args: ['think', 'lsp'] },
    {
      documentSelector: [{ language: 'thinklang' }],
      synchronize: { fileEvents },
    },
  );
  try {
    await client.start();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    await window.showErrorMessage(
      `The language server "${command} think lsp" did not start: ${why}. ` +
        'The setting thinklang.server.command says where Wooster is.',
    );
  }
}
