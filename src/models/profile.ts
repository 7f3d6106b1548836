import type { Mode, Origin } from '../base/turn.ts';
import type { TaskProfile } from './types.ts';

const LONG_CHARS = 1500;
const HARD = anyOf(
  'step by step',
  'think (?:hard|carefully|deeply)',
  'prove|derive|analy[sz]e|compare|evaluate|strategy|debug|refactor|optimi[sz]e',
  'trade-?offs?|pros and cons',
  'plan (?:a|an|the|my|our|out)|design (?:a|an|the)',
  'why (?:does|do|did|is|are|would)',
  'explain (?:why|how|in detail)|reason (?:about|through)',
);
const CREATIVE = anyOf(
  '(?:write|compose|make up|invent|tell|draft) (?:me |us )?(?:a|an|another|some|the)? ?(?:\\w+ )?' +
    '(?:poem|story|song|limerick|haiku|joke|tale|verse|lyrics|speech|toast|slogan)',
);

/** Questions that the person's own documents answer. */
const DOCUMENTS = anyOf(
  'according to',
  '(?:in|from|search|look through|check) (?:my|our|the) ' +
    '(?:documents?|files?|papers?|pdfs?|manuals?|contracts?|library)',
  'what (?:do|does|did) (?:my|our|the) [\\w -]{1,40} say',
);
const SEVERAL =
  /\b(?:and then|then also|after (?:that|this)|afterwards|once (?:that|this) is done)\b|;\s*(?:then|also)\b/iu;

function anyOf(...patterns: readonly string[]): RegExp {
  return new RegExp(`\\b(?:${patterns.join('|')})\\b`, 'iu');
}

/** Does the request name several things to do, one after the other? */
export function namesSeveralSteps(text: string): boolean {
  return SEVERAL.test(text);
}

/** What kind of task a request is, judged by its wording alone: asking a model would cost more than a wrong guess. */
export function profileOf({ text, mode, origin }: { text: string; mode: Mode; origin: Origin }): TaskProfile {
  if (origin === 'schedule') return 'BACKGROUND_TASK';
  if (CREATIVE.test(text)) return 'CREATIVE_WRITING';
  if (text.length > LONG_CHARS || HARD.test(text)) return 'COMPLEX_REASONING';
  if (DOCUMENTS.test(text) && mode === 'classic_tools') return 'RAG_PROCESSING';
  return mode === 'code_agent' ? 'CODE_ASSISTANCE' : 'TOOL_EXECUTION';
}
