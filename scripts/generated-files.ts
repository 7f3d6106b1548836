import { generateSettingFiles } from '../src/settings/generate.ts';

/** Every file that is made from the code, path in the checkout to content. */
export function generateFiles(): Readonly<Record<string, string>> {
  return { ...generateSettingFiles() };
}
