import { isUtf8 } from 'node:buffer';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { AssistantError } from '../base/errors.ts';
import { LONGEST_SOURCE } from './grammar/parse.ts';

/** The most bytes that a source within the character limit can take in UTF-8; more are not worth reading. */
const MOST_BYTES = LONGEST_SOURCE * 4 + 1;
/** A lone surrogate: the parser reports where a text has one. */
const BROKEN = '\ud800';

/**
 * The text of a program's file. One that is too large is cut, and bytes that are not UTF-8 become lone surrogates, so
 * that the parser refuses it and reports where.
 *
 * @throws AssistantError `file_not_found` when there is no such file, or it cannot be read.
 */
export function readSource(path: string): string {
  const bytes = readBytes(path);
  const text = bytes.toString('utf8').replace(/^\ufeff/u, '');
  return isUtf8(bytes) || bytes.length === MOST_BYTES ? text : text.replaceAll('\ufffd', BROKEN);
}

function readBytes(path: string): Buffer {
  let file: number | undefined;
  try {
    file = openSync(path, 'r');
    if (!fstatSync(file).isFile()) throw new Error('it is not a file');
    const bytes = Buffer.alloc(Math.min(fstatSync(file).size, MOST_BYTES));
    return bytes.subarray(0, readSync(file, bytes));
  } catch (error) {
    throw new AssistantError('file_not_found', `The program ${path} cannot be read.`, {
      hint: 'Check the path; it is relative to the current folder.',
      cause: error,
    });
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
