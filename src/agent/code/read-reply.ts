import { looksLikeScript } from '../../sandbox/compile/looks-like-script.ts';
import { fencedBlocks, inlineFence, taggedBlocks, withoutThinking } from './reply-blocks.ts';

/** What a reply in code mode turned out to be. `cut`: it hit the length limit. */
export type Reply =
  | {
      readonly kind: 'code';
      readonly source: string;
      /** Exactly one fenced block and nothing around it, as the prompt asks for. */
      readonly clean: boolean;
    }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'cut' }
  | { readonly kind: 'empty' };

const SCRIPT_LANGUAGES = new Set(['', 'js', 'javascript', 'jsx', 'mjs', 'cjs', 'node', 'ts', 'typescript', 'tsx']);
/**
 * Find the script in a reply, as leniently as possible: fences of any kind, `<code>` tags, bare code; several blocks
 * are joined. A reply without code is text. A reply that was cut off is never run.
 *
 * @param cut the provider reported that the reply hit a length limit.
 */
export function readReply(raw: string, cut: boolean): Reply {
  if (cut) return { kind: 'cut' };
  const text = withoutThinking(raw).trim();
  if (text === '') return { kind: 'empty' };
  const blocks = fenced(text) ?? tagged(text);
  if (blocks) return blocks;
  return looksLikeScript(text) ? { kind: 'code', source: text, clean: false } : { kind: 'text', text };
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
  const alone = all.length === 1 && block?.start === 0 && block.end === text.length;
  return { kind: 'code', source: sources.join('\n'), clean: alone && /(?:`{3}|~{3})$/u.test(text.slice(-3)) };
}

/** Some models put `<code>` tags inside the fence as well. */
function unwrapTag(source: string): string {
  return /^<code>\n?([\s\S]*?)\n?<\/code>$/iu.exec(source.trim())?.[1] ?? source;
}

function tagged(text: string): Reply | undefined {
  const sources = taggedBlocks(text);
  if (sources.length === 0) return undefined;
  const scripts = sources.filter((source) => source.includes('\n') || looksLikeScript(source));
  return scripts.length === 0 ? undefined : { kind: 'code', source: scripts.join('\n'), clean: false };
}
