import { preview } from '../../base/text.ts';
import type { Command } from '../command.ts';

/** Rows: `{name, version, description, state, detail, tools}`, state `on`, `off` or `failed`. */
export const plugins: Command = {
  name: 'plugins',
  summary: 'List the plugins, and why any are off',
  group: 'Tools and approvals',
  usage: ['plugins'],
  examples: ['plugins'],
  async run({ app, out }) {
    const found = app.tools.plugins.list();
    for (const plugin of found) {
      out.row(plugin);
      const { name, version, state, description, detail, tools } = plugin;
      out.line(`${state.padEnd(6)}  ${`${name} ${version}`.padEnd(20)}  ${preview(description, 80)}`);
      if (tools.length > 0) out.line(`        tools: ${tools.join(', ')}`);
      if (detail !== '') out.line(`        ${detail}`);
    }
    if (found.length === 0)
      out.line('There are no plugins. Put yours in user-plugins/NAME/index.ts, in the data folder.');
    return 0;
  },
};
