import { basename } from 'node:path';

/** Files that Wooster itself obeys, in a project or in the home. */
const OURS = 'prompt.txt wooster.config.json mcp.json skill.md projects.json memory.md';
/** Files that other programs run or obey without being told to. */
const OTHERS = [
  'agents.md claude.md gemini.md copilot-instructions.md crontab makefile gnumakefile justfile rakefile gemfile',
  'dockerfile containerfile vagrantfile procfile jenkinsfile compose.yml compose.yaml docker-compose.yml',
  'docker-compose.yaml package.json deno.json tsconfig.json pyproject.toml setup.py setup.cfg conftest.py',
  'sitecustomize.py usercustomize.py cargo.toml build.rs build.gradle build.gradle.kts pom.xml cmakelists.txt',
  'autorun.inf desktop.ini thumbs.db',
].join(' ');
const NAMES = new Set(`${OURS} ${OTHERS}`.split(' '));

/** Folders whose files are obeyed, whatever their names. */
const FOLDERS = new Set(['prompts', 'skills', 'plugins', 'user-plugins', 'hooks', 'node_modules']);

/** Files that a desktop or a shell runs when somebody opens them. */
const RUNNABLE = new Set(
  [
    'sh bash zsh fish csh ksh command tool bat cmd ps1 psm1 vbs vbe wsf wsh hta jse scr com exe msi msp dll so dylib',
    'desktop service timer socket plist mobileconfig reg lnk url webloc scpt scptd applescript workflow action jar',
    'appimage deb rpm pkg dmg xpi crx tl',
  ]
    .join(' ')
    .split(' '),
);

/**
 * Whether this or another program runs or obeys a file: then a change to it can do more than change a text.
 *
 * @param path relative to the project's folder, `/`-separated. Case does not count: some file systems ignore it.
 */
export function isControlFile(path: string): boolean {
  const parts = path
    .normalize('NFKC')
    .toLowerCase()
    .split('/')
    .filter((part) => part !== '' && part !== '.');
  const name = basename(parts.at(-1) ?? '');
  return (
    parts.some((part) => part.startsWith('.')) ||
    parts.slice(0, -1).some((part) => FOLDERS.has(part)) ||
    NAMES.has(name) ||
    RUNNABLE.has(name.split('.').at(-1) ?? '')
  );
}
