/** By these words the built-in model knows parts of a system prompt. */

/** Begins what the system prompt of a scheduled job's turn says about it. */
export const DUE_MARKER = 'This request is the scheduled job';

/** Begins what the system prompt says of the owner, one fact per line behind `- `. */
export const MEMORY_MARKER = 'What the user has told you about themselves';
