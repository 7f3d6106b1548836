import { commands, type ExtensionContext, window, workspace } from 'vscode';
import { LanguageClient } from 'vscode-languageclient/node';

let client: LanguageClient | undefined;

/** Start the language server with the first ThinkLang file, and again with the command or another setting. */
export async function activate({ subscriptions }: ExtensionContext): Promise<void> {
  subscriptions.push(
    commands.registerCommand('thinklang.restart', restart),
    workspace.onDidChangeConfiguration(async (change) => {
      if (change.affectsConfiguration('thinklang.server.command')) await restart();
    }),
  );
  await start();
}

export async function deactivate(): Promise<void> {
  await client?.dispose();
  client = undefined;
}

async function restart(): Promise<void> {
  await deactivate();
  await start();
}

async function start(): Promise<void> {
  const command = workspace.getConfiguration('thinklang').get<string>('server.command') || 'wooster';
  client = new LanguageClient(
    'thinklang',
    'ThinkLang',
    { command, args: ['think', 'lsp'] },
    {
      documentSelector: [{ language: 'thinklang' }],
      synchronize: { fileEvents: workspace.createFileSystemWatcher('**/*.tl') },
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
