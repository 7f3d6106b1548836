import { z } from 'zod';
import { MODES } from '../../base/turn.ts';

const MAX_TEXT_CHARS = 400_000;
const MOST_ATTACHED = 20;
/** In base64: some 11 MB, as a photo has at most. */
const MAX_FILE_CHARS = 15_000_000;
const attachedText = z.strictObject({ name: z.string().max(200), text: z.string().max(MAX_TEXT_CHARS) });
const attachedFile = z.strictObject({
  name: z.string().max(200).describe('Its extension says how it is read'),
  base64: z.base64().max(MAX_FILE_CHARS).describe('A picture, or any file that can be ingested'),
});

export const turnBody = z.strictObject({
  text: z.string().trim().min(1).max(MAX_TEXT_CHARS).describe('What is asked'),
  conversationId: z.string().max(100).optional().describe('Absent: a new conversation'),
  project: z.string().max(64).optional(),
  mode: z.enum(MODES).optional(),
  attachments: z
    .array(z.union([attachedText, attachedFile]))
    .max(MOST_ATTACHED)
    .optional(),
});
export const steerBody = z.strictObject({ text: z.string().trim().min(1).max(MAX_TEXT_CHARS) });
export const decisionBody = z.strictObject({ decision: z.enum(['once', 'turn', 'denied']) });
export const commandBody = z.strictObject({
  words: z.array(z.string().max(10_000)).min(1).max(100).describe('As after `wooster`: ["schedule", "list"]'),
  project: z.string().max(64).optional(),
  conversationId: z.string().max(100).optional(),
});
