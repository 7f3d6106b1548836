import { type Key, KeyDecoder } from '../tty/keys.ts';

/** An Esc with nothing after it for this long is the key itself. */
const ESC_MS = 50;

/** The part of a terminal's input that we use. */
export interface KeySource {
  setEncoding(encoding: 'utf8'): unknown;
  on(event: 'data', listener: (chunk: string) => void): unknown;
  on(event: 'end', listener: () => void): unknown;
}

/** Gives each read's keys to `press`, and tells when the terminal is gone. */
export function readKeys(input: KeySource, press: (keys: readonly Key[]) => void, ended: () => void): void {
  const decoder = new KeyDecoder(process.platform !== 'win32');
  let timer: NodeJS.Timeout | undefined;
  input.setEncoding('utf8');
  input.on('data', (chunk) => {
    clearTimeout(timer);
    press(decoder.feed(chunk));
    if (decoder.waiting) timer = setTimeout(() => press(decoder.flush()), ESC_MS);
  });
  input.on('end', ended);
}
