import { kept } from './kept.ts';

export const THEMES = ['system', 'light', 'dark'] as const;

/** Colours as the owner chose them in this browser, else as the device has them. */
export function applyTheme(chosen: string | undefined = kept('theme')): void {
  const { dataset } = document.documentElement;
  if (chosen === 'light' || chosen === 'dark') dataset.theme = chosen;
  else delete dataset.theme;
}
