import { NAME_CODES } from './name-codes.ts';
import { SYNTAX_CODES } from './syntax-codes.ts';
import { TYPE_CODES } from './type-codes.ts';
import { WARNING_CODES } from './warning-codes.ts';

/** Every code, in the order of docs/language-errors.md, generated from here. Codes are never renamed or reused. */
export const CODES = { ...SYNTAX_CODES, ...NAME_CODES, ...TYPE_CODES, ...WARNING_CODES };

export type DiagnosticCode = keyof typeof CODES;
