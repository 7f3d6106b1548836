import { z } from 'zod';
import { MODES } from '../../base/turn.ts';
import { MAX_MATERIAL_CHARS } from '../../face/file-material.ts';

const MOST_ATTACHED = 20;

export const turnBody = z.strictObject({
  text: z.string().trim().min(1).max(MAX_MATERIAL_CHARS).describe('What is asked'),
  conversationId: z.string().max(100).optional().describe('Absent: a new conversation'),
  project: z.string().max(64).optional(),
  mode: z.enum(MODES).optional(),
  attachments: z
    .array(
      z.union([
        z.strictObject({ name: z.string().max(200), text: z.string().max(MAX_MATERIAL_CHARS) }),
        z.strictObject({ name: z.string().max(200), data: z.string().describe('A file, in base64') }),
      ]),
    )
    .max(MOST_ATTACHED)
    .optional(),
});
export const steerBody = z.strictObject({ text: z.string().trim().min(1).max(MAX_MATERIAL_CHARS) });
export const decisionBody = z.strictObject({ decision: z.enum(['once', 'turn', 'denied']) });
export const commandBody = z.strictObject({
  words: z.array(z.string().max(10_000)).min(1).max(100).describe('As after `wooster`: ["schedule", "list"]'),
  project: z.string().max(64).optional(),
  conversationId: z.string().max(100).optional(),
  as: z.enum(['rows', 'text']).optional().describe('`text`: as people read it'),
});
export const tickBody = z.strictObject({
  tick: z.array(z.string().trim().min(1).max(500)).min(1).max(100).describe('What is done'),
});
export const lineBody = z.strictObject({
  line: z.string().max(10_000),
  cursor: z.int().min(0).max(10_000),
  project: z.string().max(64).optional(),
});
