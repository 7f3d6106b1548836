import { printable } from '../screen.ts';
import { type Asker, SetupCancelled } from './asker.ts';

/** Questions with menus, on a terminal that can be drawn on. */
export async function clackAsker(): Promise<Asker> {
  // Not clack's spinner: on Ctrl-C it ends the process itself.
  const { confirm, log, password, select, text } = await import('@clack/prompts');
  const answered = async <T>(question: Promise<T | symbol>): Promise<T> => {
    const answer = await question;
    if (typeof answer === 'symbol') throw new SetupCancelled();
    return answer;
  };
  return {
    interactive: true,
    say: (words) => log.info(printable(words)),
    problem: (words) => log.warn(printable(words)),
    choose: (message, { options, usual }) => {
      const shown = options.map(({ value, label, hint }) => ({
        value,
        label: printable(label),
        ...(hint === undefined ? {} : { hint: printable(hint) }),
      }));
      return answered<string>(select({ message, options: shown, initialValue: usual, maxItems: 10 }));
    },
    async text(message, { usual, check }) {
      const valid = (typed: string | undefined) => check?.(typed?.trim() || usual);
      const typed = await answered<string>(
        text({ message, placeholder: printable(usual), defaultValue: usual, validate: valid }),
      );
      return typed.trim() || usual;
    },
    async secret(message) {
      const validate = (typed: string | undefined) => (typed?.trim() ? undefined : 'Paste the key, or press Ctrl-C.');
      return (await answered<string>(password({ message, validate }))).trim();
    },
    yes: (message) => answered<boolean>(confirm({ message, initialValue: false })),
  };
}
