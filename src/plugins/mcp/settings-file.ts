import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { AssistantError, messageOf } from '../../base/errors.ts';
import { replaceFile } from '../../base/replace-file.ts';
import { secretVariables } from '../../base/secret-variables.ts';
import { documentOf, entriesOf, readEntry } from './server-settings.ts';

/** An entry of `mcp.json` as written. */
export type Entry = Readonly<Record<string, unknown>>;

/** Changes `mcp.json`, one entry at a time, and leaves the rest of the file as it is. */
export class SettingsFile {
  readonly #homeDir: string;

  constructor(homeDir: string) {
    this.#homeDir = homeDir;
  }

  get path(): string {
    return join(this.#homeDir, 'mcp.json');
  }

  /** The entries as written. @throws AssistantError `bad_setting`. */
  entries(): Readonly<Record<string, unknown>> {
    return entriesOf(this.#text());
  }

  /** @throws AssistantError `bad_usage` for an invalid entry, `bad_setting` when the file cannot be read. */
  async put(name: string, entry: Entry): Promise<void> {
    try {
      readEntry(name, entry);
    } catch (cause) {
      const hint = 'Give a command after "--", or --url with an http or https address.';
      throw new AssistantError('bad_usage', `${name} is no usable server: ${messageOf(cause)}.`, { hint, cause });
    }
    await this.#change((entries) => ({ ...entries, [name]: entry }));
  }

  /** @throws AssistantError `bad_usage` when there is no such server. */
  async enable(name: string, enabled: boolean): Promise<void> {
    const entry = this.entry(name);
    const { disabled: _disabled, ...rest } = entry;
    await this.#change((entries) => ({ ...entries, [name]: enabled ? rest : { ...rest, disabled: true } }));
  }

  /** @throws AssistantError `bad_usage` when there is no such server. */
  async remove(name: string): Promise<void> {
    this.entry(name);
    await this.#change(({ [name]: _gone, ...entries }) => entries);
  }

  /** @throws AssistantError `bad_usage` when there is no such server. */
  entry(name: string): Entry {
    const entries = this.entries();
    if (Object.hasOwn(entries, name)) return entries[name] as Entry;
    const known = Object.keys(entries).join(', ');
    throw new AssistantError('bad_usage', `There is no MCP server ${name}.`, {
      hint: known === '' ? '"wooster mcp add" adds one.' : `There are: ${known}.`,
    });
  }

  /**
   * Values with the name of a secret go to `.env`, so that `mcp.json` only refers to them. A variable there keeps its
   * value; the new one then gets another name.
   */
  namedSecrets(server: string, values: Readonly<Record<string, string>>): Record<string, string> {
    const file = join(this.#homeDir, '.env');
    const known = existsSync(file) ? parseEnv(readFileSync(file, 'utf8')) : {};
    const named = Object.entries(values).map(([key, value]) => {
      const plain = key.replace(/\W/gu, '_').toUpperCase();
      if (value.includes('${') || secretVariables({ [plain.replace(/AUTHORIZATION$/u, 'TOKEN')]: value }).length === 0)
        return [key, value];
      const own = `MCP_${server.replace(/\W/gu, '_').toUpperCase()}_${plain}`;
      const name = [plain, own].find(
        (each) => (known[each] ?? value) === value && (process.env[each] ?? value) === value,
      );
      const line = name && lineOf(name, value);
      if (!line) return [key, value];
      if (known[name] === undefined) appendFileSync(file, `\n${line}\n`, { mode: 0o600 });
      process.env[name] = value;
      known[name] = value;
      return [key, `\${${name}}`];
    });
    return Object.fromEntries(named) as Record<string, string>;
  }

  async #change(change: (entries: Record<string, unknown>) => Record<string, unknown>): Promise<void> {
    const whole = documentOf(this.#text());
    const mcpServers = change(entriesOf(this.#text()));
    await replaceFile(this.path, `${JSON.stringify({ ...whole, mcpServers }, null, 2)}\n`);
  }

  #text(): string {
    return existsSync(this.path) ? readFileSync(this.path, 'utf8') : '';
  }
}

/** Quoted for `.env`; undefined if that is impossible. */
function lineOf(name: string, value: string): string | undefined {
  return ["'", '"', '`']
    .map((quote) => `${name}=${quote}${value}${quote}`)
    .find((line) => parseEnv(line)[name] === value);
}
