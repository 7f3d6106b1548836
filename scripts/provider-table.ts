import { PROVIDERS } from '../src/models/providers/list.ts';
import type { Provider } from '../src/models/providers/provider.ts';

/** The bundled providers as a Markdown table, in the order in which configured ones are asked. */
export function providerTable(): string {
  return `| Provider | Name | Set | Default model | Default address | Embeddings |
|---|---|---|---|---|---|
${PROVIDERS.map(row).join('\n')}`;
}

function row({ id, aliases = [], label, settings, needsUrl, defaultModel, defaultUrl, embeddings }: Provider): string {
  const own = Object.values(settings).map(({ env }) => env);
  const variables = own.length > 0 ? own : needsUrl === undefined ? [] : [needsUrl];
  const cells = [
    label,
    [id, ...aliases].map(code).join(', '),
    variables.map(code).join(', ') || 'nothing',
    defaultModel === undefined ? 'the first the server lists' : code(defaultModel),
    defaultUrl === undefined ? '' : code(defaultUrl),
    embeddings === undefined ? '' : 'yes',
  ];
  return `| ${cells.join(' | ')} |`;
}

function code(text: string): string {
  return `\`${text}\``;
}
