import { oneLine } from '../../base/text.ts';

/** What the front matter of a SKILL.md says. @see https://agentskills.io/specification */
export interface SkillHead {
  readonly name: string;
  readonly description: string;
}

const MAX_HEAD_CHARS = 8000;
const MAX_NAME_CHARS = 64;
const MAX_DESCRIPTION_CHARS = 1024;
const NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/u;
const FIELD = /^([A-Za-z][\w-]{0,40}):[ \t]*(.*)$/u;
/** A block scalar on the lines below, folded or literal. */
const BLOCK = /^[>|][+-]?$/u;

/**
 * Read the front matter of a SKILL.md. Only the fields that matter are read, as text: anchors, tags, nested values
 * and other YAML features are ignored.
 *
 * @param folder the name of its folder, which must match; undefined: any.
 * @returns a string for a skill that cannot be used: the reason, as a clause.
 */
export function readSkillHead(text: string, folder: string | undefined): SkillHead | string {
  const lines = text
    .slice(0, MAX_HEAD_CHARS)
    .replace(/^\uFEFF/u, '')
    .split(/\r?\n/u);
  const end = lines.findIndex((line, at) => at > 0 && /^(?:---|\.\.\.)\s*$/u.test(line));
  if (lines[0]?.trimEnd() !== '---' || end < 0)
    return 'SKILL.md does not begin with front matter between two lines ---';
  const fields = fieldsOf(lines.slice(1, end));
  const [name = '', description = ''] = [fields.get('name'), fields.get('description')];
  if (!isSkillName(name)) return 'its name is not made of a-z, 0-9 and single hyphens, at most 64';
  if (folder !== undefined && name !== folder) return `its name "${name}" is not that of its folder`;
  if (description === '') return 'it has no description';
  if (description.length > MAX_DESCRIPTION_CHARS)
    return `its description is longer than ${MAX_DESCRIPTION_CHARS} characters`;
  return { name, description };
}

function isSkillName(name: string): boolean {
  return name.length <= MAX_NAME_CHARS && NAME.test(name);
}

/** The first value of each field, on one line. */
function fieldsOf(lines: readonly string[]): ReadonlyMap<string, string> {
  const fields = new Map<string, string>();
  for (const [at, line] of lines.entries()) {
    const [, key = '', value = ''] = FIELD.exec(line) ?? [];
    if (key === '' || fields.has(key)) continue;
    fields.set(key, oneLine(BLOCK.test(value.trim()) ? indentedBelow(lines, at) : unquoted(value.trim())));
  }
  return fields;
}

function indentedBelow(lines: readonly string[], at: number): string {
  const below = lines.slice(at + 1);
  const end = below.findIndex((line) => line !== '' && !/^\s/u.test(line));
  return below.slice(0, end < 0 ? undefined : end).join(' ');
}

function unquoted(value: string): string {
  return /^(["']).*\1$/u.test(value) ? value.slice(1, -1) : value;
}
