import { generateSettingFiles } from '../src/settings/generate.ts';
import { toolsPage } from './tools-page.ts';

/** Every file that is made from the code, path in the checkout to content. */
export async function generateFiles(): Promise<Readonly<Record<string, string>>> {
  return { ...generateSettingFiles(), 'docs/tools.md': await toolsPage() };
}
