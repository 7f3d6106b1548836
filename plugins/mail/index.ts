import { definePlugin, type Tool, z } from '#plugin';
import { readTools } from './read-tools.ts';
import { writeTools } from './write-tools.ts';

const Settings = z.object({
  imapHost: z.string().default('imap.gmail.com'),
  imapPort: z.number().default(993),
  imapTls: z.enum(['auto', 'always', 'starttls']).default('auto'),
  smtpHost: z.string().default('smtp.gmail.com'),
  smtpPort: z.number().default(465),
  username: z.string('set MAIL_USERNAME'),
  password: z.string('set MAIL_PASSWORD'),
  address: z.string().optional(),
  tlsCa: z.string().optional(),
});

export default definePlugin({
  name: 'mail',
  version: '1.0.0',
  description: 'Searches and reads your mail (IMAP), writes drafts, and sends (SMTP) when you approve.',

  hosts: ['imap.gmail.com:993', 'smtp.gmail.com:465', '$imapHost', '$smtpHost'],
  effects: ['outbound'],
  state: { tools: [] as readonly Tool[] },

  initialize(host) {
    const settings = Settings.parse(host.config);
    const address = settings.address ?? settings.username;
    const byPort = settings.imapPort === 143 ? 'starttls' : 'always';
    const imapTls = settings.imapTls === 'auto' ? byPort : settings.imapTls;
    const account = { ...settings, imapTls, address, dial: host.dial } as const;
    this.state.tools = [...readTools(account), ...writeTools(account)];
  },

  getAgentTools() {
    return this.state.tools;
  },
});
