import { fillReply } from '../../builtin/reply.ts';
import { understand } from '../../builtin/understand.ts';
import { withoutPoliteness } from './politeness.ts';
import { type Action, act, ask, type Intent, type RawRequest, type Result } from './request.ts';

/** A request that the examples of a tool have: nobody has to write code for it. */
export function taught(raw: RawRequest): Intent | undefined {
  const examples = (raw.examples ?? []).filter(({ tool }) => raw.can(tool));
  if (raw.isDue || examples.length === 0) return undefined;
  const understood = understand(withoutPoliteness(raw.text), raw, examples);
  if (understood.kind === 'ask') return ask(understood.question, (answer) => `${raw.text.trim()} ${answer}`);
  if (understood.kind !== 'act') return undefined;
  const { taught: example, input, language } = understood;
  const say: Action['say'] = ({ value, told, text }: Result) => {
    const code = isEmpty(value) ? 'empty' : (told?.code ?? '');
    const template = example.reply?.[code] ?? example.reply?.[''];
    const values = Array.isArray(value) ? value : { ...input, ...asFields(value), ...told?.values };
    return template ? fillReply(template[language], values, { ...raw, language }) : text;
  };
  return act({ tool: example.tool, input, say });
}

/** A list without rows, or a record with nothing but one. */
function isEmpty(value: unknown): boolean {
  const lists = Array.isArray(value) ? [value] : Object.values(asFields(value)).filter(Array.isArray);
  return lists.length > 0 && lists.every((list) => list.length === 0);
}

function asFields(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : { value };
}
