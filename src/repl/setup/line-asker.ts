import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import type { Output } from '../command.ts';
import { badUsage, isYes } from '../flags.ts';
import { type Asker, SetupCancelled } from './asker.ts';

/** Numbered questions, line by line: for screen readers and terminals that cannot be drawn on. */
export function lineAsker(out: Output): Asker {
  const line = async (question: string) => {
    const answer = await out.ask(question);
    if (answer === undefined) throw new SetupCancelled();
    return answer.trim();
  };
  return {
    interactive: true,
    say: (words) => out.line(words),
    problem: (words) => out.note(words),
    async choose(question, { options, usual }) {
      out.line(question);
      for (const [index, { label, hint }] of options.entries()) {
        out.line(`  ${index + 1}. ${label}${hint === undefined ? '' : ` (${hint})`}`);
      }
      const usualNumber = options.findIndex(({ value }) => value === usual) + 1;
      for (;;) {
        const typed = await line(`Number (Enter: ${usualNumber}): `);
        const chosen = options[(typed === '' ? usualNumber : Number(typed)) - 1];
        if (chosen) return chosen.value;
        out.note(`Type a number from 1 to ${options.length}.`);
      }
    },
    async text(question, { usual, check }) {
      for (;;) {
        const typed = (await line(`${question}${usual === '' ? '' : ` (Enter: ${usual})`}: `)) || usual;
        const wrong = check?.(typed);
        if (wrong === undefined) return typed;
        out.note(wrong);
      }
    },
    async secret(question) {
      for (;;) {
        const typed = await hiddenLine(() => out.line(`${question}, not shown:`));
        if (typed !== '') return typed;
        out.note('Paste the key, or press Ctrl-C.');
      }
    },
    yes: async (question) => isYes(await line(`${question} [y/N] `)),
  };
}

/** With nobody to ask, the flags must answer every question that has no default. */
export function nobody(out: Output): Asker {
  const missing = (flag: string) => badUsage(`Without a terminal, setup needs ${flag}.`, 'See: wooster help setup');
  return {
    interactive: false,
    say: (words) => out.line(words),
    problem: (words) => out.note(words),
    choose: (_question, { flag }) => Promise.reject(missing(flag)),
    text: async (_question, { usual }) => usual,
    secret: () => Promise.reject(missing('the key: in its variable, or on standard input with --key-stdin')),
    yes: async () => false,
  };
}

/** Read a line without echo. @param ask  called once typed text is no longer shown. */
async function hiddenLine(ask: () => void): Promise<string> {
  const output = new Writable({ write: (_chunk, _encoding, done) => done() });
  // With `terminal: true`, readline takes over the echo from the real terminal.
  const reader = createInterface({ input: process.stdin, output, terminal: true });
  const { promise, reject } = Promise.withResolvers<never>();
  reader.once('SIGINT', () => reject(new SetupCancelled())).once('close', () => reject(new SetupCancelled()));
  try {
    ask();
    return (await Promise.race([reader.question(''), promise])).trim();
  } finally {
    promise.catch(() => undefined);
    reader.close();
  }
}
