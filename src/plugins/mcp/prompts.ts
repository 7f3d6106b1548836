import { z } from 'zod';
import { AssistantError } from '../../base/errors.ts';
import { textOf } from './call-result.ts';
import { whyOf } from './connect.ts';
import type { McpServer } from './server.ts';

const Answer = z.looseObject({
  messages: z.array(z.looseObject({ role: z.string().default('user'), content: z.unknown() })).max(50),
});

const GET_MS = 30_000;

/**
 * The text of a server's prompt. Arguments are named (`city=Oslo`), or fill the remaining ones in order.
 *
 * @throws AssistantError `bad_usage` when there is no such prompt, or the server refuses it.
 */
export async function promptText(server: McpServer, name: string, words: readonly string[]): Promise<string> {
  const { prompts } = server.catalog;
  // In the REPL, names are not case-sensitive.
  const prompt = prompts.find((each) => each.name === name) ?? prompts.find((each) => each.name.toLowerCase() === name);
  if (!prompt) throw unknownPrompt(server, name);
  const given = argumentsOf(
    prompt.arguments.map((each) => each.name),
    words,
  );
  const missing = prompt.arguments.filter((each) => each.required && given[each.name] === undefined);
  if (missing.length > 0) {
    const names = prompt.arguments.map((each) => (each.required ? `${each.name}=…` : `[${each.name}=…]`));
    throw new AssistantError('bad_usage', `${missing[0]?.name} is missing.`, {
      hint: `Usage: /${server.name}:${name} ${names.join(' ')}`,
    });
  }
  const { client } = await server.link();
  const request = { method: 'prompts/get', params: { name: prompt.name, arguments: given } };
  const { messages } = await client.request(request, Answer, { timeout: GET_MS }).catch((cause: unknown) => {
    throw new AssistantError('bad_usage', `${server.name} does not give its prompt ${name}: ${whyOf(cause)}.`, {
      hint: `"wooster mcp test ${server.name}" asks it again.`,
      cause,
    });
  });
  const keep = async ({ kind, mimeType }: { kind: string; mimeType: string }) => `[${kind} ${mimeType} left out]`;
  const texts = await Promise.all(messages.map(({ content }) => textOf([content].flat(), keep)));
  return texts.join('\n\n').trim();
}

function argumentsOf(names: readonly string[], words: readonly string[]): Record<string, string> {
  const nameIn = (word: string) => names.find((name) => word.startsWith(`${name}=`));
  const named = words.flatMap((word) => {
    const name = nameIn(word);
    return name === undefined ? [] : [[name, word.slice(name.length + 1)] as const];
  });
  const given = new Map(named);
  const rest = words.filter((word) => nameIn(word) === undefined);
  const open = names.filter((name) => !given.has(name));
  // The rest goes to the last argument, so that a sentence need not be quoted.
  for (const [index, name] of open.entries()) {
    const value = index === open.length - 1 ? rest.slice(index).join(' ') : rest[index];
    if (value) given.set(name, value);
  }
  return Object.fromEntries(given);
}

function unknownPrompt(server: McpServer, name: string): AssistantError {
  const known = server.catalog.prompts.map((each) => each.name).join(', ');
  return new AssistantError('bad_usage', `The MCP server ${server.name} has no prompt ${name}.`, {
    hint: known === '' ? 'It has none at all.' : `It has: ${known}.`,
  });
}
