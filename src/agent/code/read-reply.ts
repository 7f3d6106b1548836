import { withoutThinking } from '../../base/thinking.ts';
import { looksLikeScript } from '../../sandbox/compile/looks-like-script.ts';
import { parseScript } from '../../sandbox/compile/parse.ts';
import { fencedBlocks, inlineFence, outside, taggedBlocks } from './reply-blocks.ts';

/** What a reply in code mode turned out to be. `cut`: it hit the length limit. */
export type Reply =
  | {
      readonly kind: 'code';
      readonly source: string;
      /** Exactly one fenced block and nothing around it, as the prompt asks for. */
      readonly clean: boolean;
    }
  | { readonly kind: 'text'; readonly text: string }
  /** It calls our functions in another language. */
  | { readonly kind: 'foreign'; readonly language: string }
  | { readonly kind: 'cut' }
  | { readonly kind: 'empty' };

const SCRIPT_LANGUAGES = new Set(['', 'js', 'javascript', 'jsx', 'mjs', 'cjs', 'node', 'ts', 'typescript', 'tsx']);
/** Fences in these languages never hold a program. */
const DATA_LANGUAGES = new Set(['json', 'jsonc', 'xml', 'html', 'yaml', 'yml', 'csv', 'text', 'txt', 'md', 'markdown']);
/** Words around a program in another language: more is an explanation. */
const MAX_LINES_AROUND = 2;
const MAX_CHARS_AROUND = 200;

/**
 * Find the script in a reply, as leniently as possible: fences of any kind, `<code>` tags, bare code; several blocks
 * are joined. A fence of another language counts where it calls our functions. A reply without code is text, also one
 * whose code is data. A reply that was cut off is never run.
 *
 * @param cut the provider reported that the reply hit a length limit.
 * @param isOurs whether a script can call a function of this name.
 */
export function readReply(raw: string, cut: boolean, isOurs: (name: string) => boolean = () => false): Reply {
  if (cut) return { kind: 'cut' };
  const text = withoutThinking(raw).trim();
  if (text === '') return { kind: 'empty' };
  const blocks = fenced(text) ?? tagged(text);
  if (blocks?.kind === 'code' && (isData(blocks.source) || isUnmarked(text, blocks.source, isOurs)))
    return { kind: 'text', text };
  if (blocks) return blocks;
  if (looksLikeScript(text)) return { kind: 'code', source: text, clean: false };
  return otherLanguage(text, isOurs) ?? announced(text, isOurs) ?? { kind: 'text', text };
}

/** A value rather than a program: perhaps a call written as JSON, or a table. */
function isData(source: string): boolean {
  return /^\s*[[{<]/u.test(source) && !looksLikeScript(source);
}

/** Fences without a language that hold neither a script nor a call, for example a log or a quotation. */
function isUnmarked(text: string, source: string, isOurs: (name: string) => boolean): boolean {
  const languages = fencedBlocks(text).map(({ language }) => language);
  return (
    languages.length > 0 &&
    languages.every((name) => name === '') &&
    !looksLikeScript(source) &&
    !callsOurs(source, isOurs)
  );
}

/** A fence of another language that calls our functions: run where it is JavaScript all the same. */
function otherLanguage(text: string, isOurs: (name: string) => boolean): Reply | undefined {
  const all = fencedBlocks(text);
  const around = outside(text, all).trim();
  if (around.length > MAX_CHARS_AROUND || around.split('\n').length > MAX_LINES_AROUND) return undefined;
  const programs = all.filter(({ language }) => !DATA_LANGUAGES.has(language));
  const source = programs.map((block) => block.source).join('');
  if (!callsOurs(source, isOurs)) return undefined;
  if (parseScript(source).ok) return { kind: 'code', source, clean: false };
  return { kind: 'foreign', language: programs[0]?.language ?? '' };
}

/** A line of prose, then a script without a fence. */
function announced(text: string, isOurs: (name: string) => boolean): Reply | undefined {
  const end = text.indexOf('\n');
  const source = text.slice(end + 1).trim();
  if (end > MAX_CHARS_AROUND || !callsOurs(source, isOurs) || !looksLikeScript(source)) return undefined;
  return parseScript(source).ok ? { kind: 'code', source, clean: false } : undefined;
}

function callsOurs(source: string, isOurs: (name: string) => boolean): boolean {
  const names = [...source.matchAll(/(?<![\w$])(?:tools\.)?([A-Za-z_$][\w$]*)\s*\(/gu)].map((match) => match[1] ?? '');
  return names.some((name) => isOurs(name));
}

function fenced(text: string): Reply | undefined {
  const inline = inlineFence(text);
  if (inline !== undefined) return { kind: 'code', source: inline, clean: false };
  const all = fencedBlocks(text);
  const blocks = all.filter(({ language }) => SCRIPT_LANGUAGES.has(language));
  const sources = blocks
    .map(({ source }) => unwrapTag(source.endsWith('\n') ? source.slice(0, -1) : source))
    .filter((source) => source.trim() !== '');
  if (sources.length === 0) return blocks.length > 0 && blocks.length === all.length ? { kind: 'empty' } : undefined;
  // A fence that was never closed ends with the reply; it is read, but it is not clean.
  const [block] = blocks;
  const alone = block?.start === 0 && block.end === text.length;
  const closed = text.endsWith('```') || text.endsWith('~~~');
  return { kind: 'code', source: sources.join('\n'), clean: alone && closed };
}

/** Some models put `<code>` tags inside the fence as well. */
function unwrapTag(source: string): string {
  return /^<code>\n?([\s\S]*?)\n?<\/code>$/iu.exec(source.trim())?.[1] ?? source;
}

function tagged(text: string): Reply | undefined {
  const scripts = taggedBlocks(text).filter((source) => source.includes('\n') || looksLikeScript(source));
  return scripts.length === 0 ? undefined : { kind: 'code', source: scripts.join('\n'), clean: false };
}
