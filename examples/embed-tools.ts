import { createAssistant, definePlugin, defineTool, z } from 'wooster';

const sendMail = defineTool({
  name: 'send_mail',
  description: 'Send a mail to one person.',
  input: z.object({ to: z.email(), text: z.string() }),
  policy: {
    effect: 'outbound',
    recipient: ({ to }) => ({ channel: 'mail', address: to, own: false }),
  },
  provenance: { readsFrom: [] },
  timeoutMs: 10_000,
  execute: async ({ to, text }) => `Sent ${text.length} characters to ${to}.`,
});

const tides = definePlugin({
  name: 'tides',
  version: '1.0.0',
  description: 'Knows the tide.',
  prepare: () => ({ context: ['Low tide today is at 14:05.'] }),
});

await using assistant = await createAssistant({
  home: './wooster-data',
  tools: [sendMail],
  plugins: [tides],
  approve: ({ tool, destination, reason }) => {
    console.log(`${tool} to ${destination}: ${reason}`);
    return destination === 'mail:ann@example.com' ? 'once' : 'denied';
  },
});
console.log((await assistant.ask('take a note: low tide is at 14:05')).text);
