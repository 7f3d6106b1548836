import type { Command } from '../command.ts';

/** `/model`, `/model NAME`, `switch model NAME`. */
export const model: Command = {
  name: 'model',
  summary: 'Show the model, choose another until the program ends, or let the router choose',
  usage: ['model', 'model NAME', 'model PROVIDER:NAME', 'model auto'],
  only: 'slash',
  async run({ args, app, out }) {
    const [name] = args;
    if (name !== undefined) await app.models.select(/^(?:auto|router|default)$/iu.test(name) ? undefined : name);
    const [first] = await app.models.candidates();
    out.row(first ?? {});
    const label =
      first === undefined ? undefined : first.provider === first.name ? first.name : `${first.provider}:${first.name}`;
    out.line(
      label === undefined
        ? 'No model is set up.'
        : `Model ${label}${first?.state === 'down' ? `, which is down: ${first.detail}` : '.'}`,
    );
    return 0;
  },
};
