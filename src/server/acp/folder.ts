import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname } from 'node:path';
import type { AgentContext } from '@agentclientprotocol/sdk';
import { methods } from '@agentclientprotocol/sdk';
import type { App } from '../../face/app.ts';
import type { Projects } from '../../rag/projects.ts';
import { textBlock } from './updates.ts';

/** The folder as it is on the disk; undefined where it is none, or one that holds more than a person's project. */
export function workFolder(cwd: string): string | undefined {
  try {
    const folder = realpathSync(cwd);
    return folder === dirname(folder) || folder === realpathSync(homedir()) ? undefined : folder;
  } catch {
    return undefined;
  }
}

/** The project whose files are in this folder. */
export function projectOf(projects: Projects, folder: string): string | undefined {
  return projects.list().find((name) => projects.config(name).folder === folder);
}

/**
 * Ask once whether a folder is the owner's work. A yes makes it a project of its own and the owner's text, as a folder
 * that is ingested by hand; a no is kept too.
 *
 * @returns the project; undefined where the folder stays apart.
 */
export async function linkFolder(
  client: AgentContext,
  sessionId: string,
  { app, folder, signal }: { readonly app: App; readonly folder: string; readonly signal: AbortSignal },
): Promise<string | undefined> {
  const { projects, origins } = app.knowledge;
  const apart = projects.config(DEFAULT).apart;
  if (apart.includes(folder)) return undefined;
  const name = freeName(projects, folder);
  const { outcome } = await client.request(
    methods.client.session.requestPermission,
    {
      sessionId,
      options: [
        { optionId: 'link', name: `Yes, as the project "${name}"`, kind: 'allow_always' },
        { optionId: 'apart', name: 'No, keep it apart', kind: 'reject_always' },
      ],
      toolCall: {
        toolCallId: `${sessionId}-folder`,
        title: `Is ${folder} your work?`,
        kind: 'other',
        status: 'pending',
        content: [{ type: 'content', content: textBlock(EXPLAINED) }],
        locations: [{ path: folder }],
      },
    },
    { cancellationSignal: signal },
  );
  if (outcome.outcome !== 'selected') return undefined;
  if (outcome.optionId !== 'link') {
    await projects.configure(DEFAULT, { apart: [...apart, folder] });
    return undefined;
  }
  projects.create(name);
  await projects.configure(name, { folder });
  await origins.files.declare(folder, { untrusted: false, folder: true });
  return name;
}

const DEFAULT = 'home';
const EXPLAINED = [
  'With a yes, Wooster reads, searches and changes the files in this folder as yours: what they say counts as written',
  'by you. Every change can be undone. With a no, it works on its own project "home" and not on these files.',
].join(' ');

function freeName(projects: Projects, folder: string): string {
  const plain =
    basename(folder)
      .replace(/[^A-Za-z0-9 ._-]+/gu, '-')
      .replace(/^[. ]+/u, '')
      .slice(0, 56) || 'folder';
  const names = [plain, ...Array.from({ length: 99 }, (_, at) => `${plain}-${at + 2}`)];
  return names.find((name) => !projects.exists(name)) ?? plain;
}
