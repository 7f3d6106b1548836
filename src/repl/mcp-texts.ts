import { visibleLine } from '../base/visible-characters.ts';
import type { Catalog, Unseen } from '../plugins/mcp/catalog.ts';
import type { ListedPrompt, ListedTool } from '../plugins/mcp/listed-tools.ts';

/** Every text of a server that a model will read, for the owner who agrees to it. */
export function allLines({ tools, prompts }: Pick<Catalog, 'tools' | 'prompts'>): string[] {
  const ofTools = tools.flatMap((tool) => [
    `  ${visibleLine(tool.name)}`,
    ...textsOf(tool).map((line) => `    ${line}`),
  ]);
  return [...ofTools, ...prompts.map((prompt) => `  ${promptLine(prompt)}`)];
}

/** What is new or has changed of a tool. */
export function changeLines(server: string, { before, now }: Unseen<ListedTool>): string[] {
  const head = `${server}.${visibleLine(now.name)} ${before ? 'has changed' : 'is new'}:`;
  const gone = before ? textsOf(before).map((line) => `  - ${line}`) : [];
  return [head, ...gone, ...textsOf(now).map((line) => `  + ${line}`)];
}

export function promptChange({ before, now }: Unseen<ListedPrompt>): string[] {
  return [...(before ? [`  - ${promptLine(before)}`] : []), `  + ${promptLine(now)}`];
}

/** What it does, its fields and its results. */
function textsOf({ description, inputSchema, outputSchema }: ListedTool): string[] {
  const schemas = [inputSchema, ...(outputSchema ? [outputSchema] : [])];
  return [description, ...schemas.map((schema) => JSON.stringify(schema))].map((text) => visibleLine(text));
}

function promptLine({ name, description, arguments: fields }: ListedPrompt): string {
  const names = fields.map((field) => (field.required ? field.name : `[${field.name}]`));
  const call = ['prompt', name, ...names].join(' ');
  return visibleLine(description === '' ? call : `${call}: ${description}`);
}
