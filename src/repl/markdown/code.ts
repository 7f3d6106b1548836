import type { HLJSApi, LanguageFn } from 'highlight.js';
import type { Piece } from '../tty/wrap.ts';

/** Longer code is not coloured. */
const MAX_LINES = 400;

/** Each grammar is loaded when code in its language is first shown. */
const GRAMMARS: Readonly<Record<string, () => Promise<{ default: LanguageFn }>>> = {
  bash: () => import('highlight.js/lib/languages/bash'),
  css: () => import('highlight.js/lib/languages/css'),
  diff: () => import('highlight.js/lib/languages/diff'),
  go: () => import('highlight.js/lib/languages/go'),
  javascript: () => import('highlight.js/lib/languages/javascript'),
  json: () => import('highlight.js/lib/languages/json'),
  python: () => import('highlight.js/lib/languages/python'),
  rust: () => import('highlight.js/lib/languages/rust'),
  sql: () => import('highlight.js/lib/languages/sql'),
  typescript: () => import('highlight.js/lib/languages/typescript'),
  xml: () => import('highlight.js/lib/languages/xml'),
  yaml: () => import('highlight.js/lib/languages/yaml'),
};

const ALIASES: Readonly<Record<string, string>> = {
  ...{
    sh: 'bash',
    shell: 'bash',
    zsh: 'bash',
    console: 'bash',
    js: 'javascript',
    jsx: 'javascript',
    mjs: 'javascript',
  },
  ...{ ts: 'typescript', tsx: 'typescript', py: 'python', rs: 'rust', html: 'xml', svg: 'xml', yml: 'yaml' },
  ...{ patch: 'diff', jsonc: 'json', golang: 'go' },
};

/** SGR parameters by the first part of highlight.js' class names; the 16 colours follow the person's theme. */
const COLOURS: Readonly<Record<string, string>> = {
  ...{
    keyword: '35',
    string: '32',
    comment: '2',
    number: '33',
    literal: '33',
    title: '34',
    built_in: '36',
    type: '36',
  },
  ...{ attr: '36', attribute: '36', variable: '33', meta: '2', tag: '34', name: '34', regexp: '32', symbol: '33' },
  ...{ addition: '32', deletion: '31', section: '1', property: '36', params: '', subst: '' },
};

const ENTITIES: Readonly<Record<string, string>> = {
  ...{ '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#x27;': "'" },
};

/** Colours code. Until a grammar is loaded its code is plain; `onLoad` tells when to draw again. */
export class CodeColours {
  readonly #onLoad: () => void;
  #api: HLJSApi | undefined;
  readonly #loading = new Set<string>();

  constructor(onLoad: () => void) {
    this.#onLoad = onLoad;
  }

  /** The lines of the code. */
  lines(code: string, language: string): Piece[][] {
    const lines = code.split('\n');
    const name = ALIASES[language] ?? language;
    if (lines.length > MAX_LINES || !Object.hasOwn(GRAMMARS, name)) return lines.map((text) => [{ text }]);
    if (!this.#api?.getLanguage(name)) {
      if (!this.#loading.has(name)) void this.#load(name);
      return lines.map((text) => [{ text }]);
    }
    return splitLines(piecesOf(this.#api.highlight(code, { language: name, ignoreIllegals: true }).value));
  }

  async #load(name: string): Promise<void> {
    this.#loading.add(name);
    const [core, grammar] = await Promise.all([import('highlight.js/lib/core'), GRAMMARS[name]?.()]);
    if (!grammar) return;
    core.default.registerLanguage(name, grammar.default);
    this.#api = core.default;
    this.#onLoad();
  }
}

/** highlight.js gives nested HTML elements with classes. */
function piecesOf(html: string): Piece[] {
  const styles: (string | undefined)[] = [];
  const pieces: Piece[] = [];
  for (const [part, name] of html.matchAll(/<span class="hljs-([a-z_]+)[^"]*">|<\/span>|[^<]+/gu)) {
    if (name !== undefined) styles.push(COLOURS[name] ?? styles.at(-1));
    else if (part === '</span>') styles.pop();
    else
      pieces.push({
        text: part.replace(/&(?:amp|lt|gt|quot|#x27);/gu, (it) => ENTITIES[it] ?? it),
        style: styles.at(-1),
      });
  }
  return pieces;
}

function splitLines(pieces: readonly Piece[]): Piece[][] {
  const lines: Piece[][] = [[]];
  for (const piece of pieces) {
    piece.text.split('\n').forEach((text, index) => {
      if (index > 0) lines.push([]);
      if (text !== '') lines.at(-1)?.push({ ...piece, text });
    });
  }
  return lines;
}
