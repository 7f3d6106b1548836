/** Our MCP client as the official conformance test drives it: the last argument is a server's address. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLog } from '../base/log.ts';
import { Redactor } from '../base/redact.ts';
import { createGateway } from '../net/gateway.ts';
import { answerForm } from '../plugins/mcp/elicitation.ts';
import { McpHub } from '../plugins/mcp/hub.ts';

const CALL_MS = 20_000;

const url = process.argv.at(-1) ?? '';
const homeDir = mkdtempSync(join(tmpdir(), 'wooster-conformance-'));
const gateway = createGateway({ allowPrivate: [], log: silentLog });
writeFileSync(join(homeDir, 'mcp.json'), JSON.stringify({ mcpServers: { peer: { type: 'http', url } } }));
const hub = new McpHub({
  ...{ homeDir, env: {}, log: silentLog, redactor: new Redactor() },
  artifacts: { keep: async () => 'art_1' },
  fetchFor: (caller, origins) => gateway.fetchFor(caller, origins),
});
await hub.load();
const [problem] = await hub.ask(CALL_MS);
if (problem) throw new Error(problem.problem);
const server = hub.server('peer');
// A person who agrees to a form and leaves every field as it is.
const ask = async (question: string) => (question.includes('Answer it?') ? 'yes' : '');
for (const { name } of server?.catalog.tools ?? []) {
  const input = name === 'add_numbers' ? { a: 5, b: 3 } : {};
  const elicit = (params: unknown) => answerForm('peer', params, ask);
  await server?.call(name, input, { timeoutMs: CALL_MS, signal: AbortSignal.timeout(CALL_MS), elicit });
}
await hub.close();
await gateway.close();
rmSync(homeDir, { recursive: true });
