import { looksLikeScript } from '../../sandbox/compile/looks-like-script.ts';

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
const FENCE = /^[ \t]*(`{3,}|~{3,})[ \t]*([\w+.-]*)[^\n`]*\n([\s\S]*?)(?:^[ \t]*\1[`~]*[ \t]*$|(?![\s\S]))/gmu;
const INLINE_FENCE = /^\s*```(?:js|javascript|ts|typescript)?[ \t]+([^\n]+?)[ \t]*```\s*$/u;
const CODE_TAG = /<code(?:\s[^>]*)?>([\s\S]*?)(?:<\/code\s*>?|<\/?c?o?d?e?\s*$|(?![\s\S]))/giu;
const THINKING = /<think(?:ing)?>[\s\S]*?<\/think(?:ing)?>/giu;

/**
 * Find the script in a reply, as leniently as possible: fences of any kind, `<code>` tags, bare code; several blocks
 * are joined. A reply without code is text. A reply that was cut off is never run.
 *
 * @param cut the provider reported that the reply hit a length limit.
 */
export function readReply(raw: string, cut: boolean): Reply {
  if (cut) return { kind: 'cut' };
  const text = raw.replace(THINKING, '').trim();
  if (text === '') return { kind: 'empty' };
  const blocks = fenced(text) ?? tagged(text);
  if (blocks) return blocks;
  return looksLikeScript(text) ? { kind: 'code', source: text, clean: false } : { kind: 'text', text };
}

function fenced(text: string): Reply | undefined {
  const inline = INLINE_FENCE.exec(text)?.[1];
  if (inline !== undefined) return { kind: 'code', source: inline, clean: false };
  const all = [...text.matchAll(FENCE)];
  const blocks = all.filter((match) => SCRIPT_LANGUAGES.has((match[2] ?? '').toLowerCase()));
  const sources = blocks
    .map((match) => unwrapTag((match[3] ?? '').replace(/\n$/u, '')))
    .filter((source) => source.trim() !== '');
  if (sources.length === 0) return blocks.length > 0 && blocks.length === all.length ? { kind: 'empty' } : undefined;
  // A fence that was never closed ends with the reply; it is read, but it is not clean.
  const alone = blocks.length === 1 && all.length === 1 && text === blocks[0]?.[0].trim();
  return { kind: 'code', source: sources.join('\n'), clean: alone && /(?:`{3}|~{3})$/u.test(text) };
}

/** Some models put `<code>` tags inside the fence as well. */
function unwrapTag(source: string): string {
  return /^\s*<code>\n?([\s\S]*?)\n?<\/code>\s*$/iu.exec(source)?.[1] ?? source;
}

function tagged(text: string): Reply | undefined {
  const sources = [...text.matchAll(CODE_TAG)]
    .map((match) => (match[1] ?? '').trim())
    .filter((source) => source !== '');
  if (sources.length === 0) return undefined;
  const scripts = sources.filter((source) => source.includes('\n') || looksLikeScript(source));
  return scripts.length === 0 ? undefined : { kind: 'code', source: scripts.join('\n'), clean: false };
}
