import type { Example } from '../../base/examples.ts';
import { isRecord } from '../../base/json.ts';
import type { LoadedProgram } from './load-program.ts';
import { wordsOf } from './program-name.ts';

/** Made once for each compiled program, so that every turn has the same. */
const KNOWN = new WeakMap<object, readonly Example[]>();

/**
 * What people say to run a program by its name, or to schedule it. A parameter that has to be given is asked for; one
 * may be given behind the name. A program that has to be given more than words and numbers cannot be run so.
 */
export function examplesOf({ name, compiled: { params } }: LoadedProgram): readonly Example[] {
  const known = KNOWN.get(params) ?? made(wordsOf(name).join(' '), params);
  KNOWN.set(params, known);
  return known;
}

function made(title: string, params: Readonly<Record<string, unknown>>): readonly Example[] {
  const properties = isRecord(params.properties) ? Object.entries(params.properties) : [];
  const required = Array.isArray(params.required) ? params.required.map(String) : [];
  const gaps = properties.flatMap(([param, schema]) => gapFor(param, schema) ?? []);
  const asked = gaps.filter(({ param }) => required.includes(param));
  if (title === '' || asked.length < required.length) return [];
  const plain = { ...sentences(title), intent: `run ${title}`, ...askedFor(title, asked) };
  const named = gaps.filter(({ param }) => required.every((each) => each === param));
  return [
    plain,
    ...named.map(({ param, gap }) => ({
      ...sentences(title, ` (with|for|on|of) [${words(param)}] {${gap}}`, ` (mit|für|von) [${words(param)}] {${gap}}`),
      intent: `run ${title} with ${param}`,
      input: { [param]: `{${param}}` },
    })),
    ...(required.length === 0 ? [scheduled(title)] : []),
  ];
}

/** A sentence without what is needed is answered by a question for it. */
function askedFor(title: string, asked: readonly Gap[]): Pick<Example, 'input' | 'ask'> {
  const question = (param: string) => ({
    en: `For ${title}: what is ${words(param)}?`,
    de: `Für ${title}: was ist ${words(param)}?`,
  });
  return {
    input: Object.fromEntries(asked.map(({ param }) => [param, `{${param}}`])),
    ask: Object.fromEntries(asked.map(({ param }) => [param, question(param)])),
  };
}

interface Gap {
  readonly param: string;
  /** As a sentence has it: `count:number`. */
  readonly gap: string;
}

/** The gap for a parameter of a simple type; its name must be none that has a meaning of its own. */
function gapFor(param: string, schema: unknown): Gap | undefined {
  const types = isRecord(schema) ? [schema, ...(Array.isArray(schema.anyOf) ? schema.anyOf : [])] : [];
  const type = types.find((each): each is Record<string, unknown> => isRecord(each) && typeof each.type === 'string');
  if (type?.type === 'string') return { param, gap: `${param}:text` };
  return type?.type === 'integer' || type?.type === 'number' ? { param, gap: `${param}:number` } : undefined;
}

function sentences(title: string, en = '', de = ''): Pick<Example, 'en' | 'de'> {
  return {
    en: [`(run|start|execute|do|launch) [the|my|our] [program] ${title} [program|now]${en}`],
    de: [
      `(starte|mach|mache|führe) [das|den|die|mein|meine|meinen] [Programm] ${title}${de} [aus]`,
      `lass [das|den|die|mein|meine|meinen] [Programm] ${title}${de} laufen`,
    ],
  };
}

/** A program on a schedule runs without a model, unlike a request in the same words. */
function scheduled(title: string): Example {
  const said = `(run|start|execute|do|schedule) [the|my|our] [program] ${title} [program]`;
  const gesagt = `(starte|mach|mache|führe) [das|den|die|mein|meine|meinen] [Programm] ${title}`;
  return {
    tool: 'schedule',
    intent: `schedule ${title}`,
    name: title,
    input: { when: '{when}', text: title, as: 'program' },
    reply: {
      '': {
        en: 'Scheduled: the program {text}, {description}. It comes {next:near}{?warning}. {warning}{/?}',
        de: 'Geplant: das Programm {text}, {description}. Es kommt {next:near}{?warning}. {warning}{/?}',
      },
    },
    en: [`${said} {when}`, `{when} ${said}`],
    de: [`${gesagt} {when} [aus]`, `{when} ${gesagt} [aus]`],
  };
}

function words(param: string): string {
  return wordsOf(param).join(' ');
}
