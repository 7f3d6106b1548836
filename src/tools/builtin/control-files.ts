import { basename, extname } from 'node:path';

/**
 * Who obeys a file: `wooster` itself; `programs`, which run or follow it without being told to; nobody who is known; or
 * nobody at all, since it is plain `text`.
 */
export type Obeyed = 'wooster' | 'programs' | 'unknown' | 'text';

/** Files that Wooster itself obeys, in a project or in the home. */
const OURS = new Set('prompt.txt wooster.config.json mcp.json skill.md projects.json memory.md'.split(' '));
/** Folders whose files it obeys, whatever their names. */
const OUR_FOLDERS = new Set('prompts skills plugins user-plugins'.split(' '));

/**
 * What no program runs or follows, apart from the names below. Everything else counts as followed once untrusted
 * content was read, so what is missing here costs a question and nothing more.
 */
const TEXT = new Set('md markdown mdown txt text rst adoc log csv tsv'.split(' '));
const FOLLOWED_TEXTS = 'agents.md claude.md gemini.md copilot-instructions.md cmakelists.txt requirements.txt';

/**
 * What programs are known to run or follow. Only a conversation without untrusted content goes by these lists; there
 * they spare the owner a file that they did not ask for.
 */
const FOLLOWED = new Set(
  [
    FOLLOWED_TEXTS,
    '.gitignore crontab makefile gnumakefile justfile rakefile gemfile dockerfile containerfile vagrantfile procfile',
    'jenkinsfile compose.yml compose.yaml docker-compose.yml docker-compose.yaml package.json deno.json tsconfig.json',
    'pyproject.toml setup.py setup.cfg conftest.py sitecustomize.py usercustomize.py cargo.toml build.rs build.gradle',
    'build.gradle.kts pom.xml autorun.inf desktop.ini thumbs.db',
  ]
    .join(' ')
    .split(' '),
);
const FOLLOWED_FOLDERS = new Set('hooks node_modules'.split(' '));
/** Kinds of files that a desktop or a shell runs when somebody opens them, with what people call one. */
const RUNNABLE: readonly (readonly [called: RegExp, extensions: string])[] = [
  [/\bs[ck]ripte?s?\b/iu, 'sh bash zsh fish csh ksh command tool bat cmd ps1 psm1 vbs vbe wsf wsh'],
  [/\bprogramm?e?s?\b/iu, 'tl exe com jar appimage scr msi msp dll so dylib'],
  [/\bservices?\b|\bdienste?\b/iu, 'service timer socket plist mobileconfig'],
  [/\bshortcuts?\b|\bverknüpfung(?:en)?\b/iu, 'desktop lnk url webloc'],
  [/\bpackages?\b|\bpakete?\b/iu, 'deb rpm pkg dmg xpi crx'],
  [/\bworkflows?\b/iu, 'scpt scptd applescript workflow action'],
  [/\bworkspaces?\b|\barbeitsbereiche?\b/iu, 'code-workspace sublime-project sublime-workspace iml'],
  [/(?!)/u, 'hta jse reg'],
];
const CALLED = new Map(
  RUNNABLE.flatMap(([called, extensions]) => extensions.split(' ').map((extension) => [extension, called] as const)),
);

/** @param path relative to the project's folder, `/`-separated. Case does not count: some file systems ignore it. */
export function obeyedBy(path: string): Obeyed {
  const parts = partsOf(path);
  const name = basename(parts.at(-1) ?? '');
  const folders = parts.slice(0, -1);
  const hidden = name === '.gitignore' ? folders : parts;
  if (hidden.some((part) => part.startsWith('.')) || folders.some((part) => OUR_FOLDERS.has(part)) || OURS.has(name))
    return 'wooster';
  if (FOLLOWED.has(name) || folders.some((part) => FOLLOWED_FOLDERS.has(part)) || CALLED.has(extensionOf(name)))
    return 'programs';
  return TEXT.has(extensionOf(name)) ? 'text' : 'unknown';
}

/**
 * Whether a request means a file: it has the file's name, or the word for its kind where no other file is of that kind.
 *
 * @param others the files that there are besides.
 */
export function isMeant(path: string, request: string, others: readonly string[]): boolean {
  const name = partsOf(path).at(-1) ?? '';
  const words = request.normalize('NFKC').toLowerCase();
  if (words.split(/[^\p{L}\p{N}._-]+/u).some((word) => word.replace(/\.$/u, '') === name)) return true;
  const called = CALLED.get(extensionOf(name));
  return called?.test(words) === true && others.every((other) => CALLED.get(extensionOf(other)) !== called);
}

function partsOf(path: string): string[] {
  const parts = path.normalize('NFKC').toLowerCase().split('/');
  return parts.filter((part) => part !== '' && part !== '.');
}

function extensionOf(name: string): string {
  return extname(name.normalize('NFKC').toLowerCase()).slice(1);
}
