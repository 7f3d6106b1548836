/**
 * What tools report when the person's request cannot be carried out: message templates by code. Translations go by the
 * code, never by the wording.
 */
const TOLD = {
  no_job_called: 'No scheduled job is called "{said}". There is: {jobs}.',
  no_jobs: 'No scheduled job is called "{said}". Nothing is scheduled.',
  several_jobs: '"{said}" may be any of {count}: {jobs}. Which id?',
  comes_again: '{id} comes again and again ({when}). Say when from now on, such as "every weekday at 10:00".',
  time_passed: '"{said}" is in the past ({at}, {zone}).',
  move_passed: '"{said}" would be {at}, which has passed.',
  unclear_time: '"{said}" is not a time I understand: {why}.',
  no_time: '"{said}" is not a time I understand.',
  no_file: '{path} cannot be opened.',
  file_there: '{path} exists already.',
} as const;

export type ToldCode = keyof typeof TOLD;
export type ToldValues = Readonly<Record<string, string>>;

/** The message of a code, filled in. */
export function told(code: ToldCode, values: ToldValues): string {
  return TOLD[code].replace(/\{(\w+)\}/gu, (_gap, name: string) => values[name] ?? '');
}

/** The code and the values of the message that a text begins with; whatever follows is a hint. */
export function readTold(text: string): { readonly code: ToldCode; readonly values: ToldValues } | undefined {
  for (const code of Object.keys(TOLD) as ToldCode[]) {
    const values = valuesIn(text, TOLD[code]);
    if (values) return { code, values };
  }
  return undefined;
}

/** Reads the values between the fixed parts of a template, from left to right. */
function valuesIn(text: string, sentence: string): ToldValues | undefined {
  const [lead = '', ...rest] = sentence.split(/[{}]/u);
  if (!text.startsWith(lead)) return undefined;
  const values: Record<string, string> = {};
  let at = lead.length;
  for (let index = 0; index < rest.length; index += 2) {
    const [name = '', fixed = ''] = rest.slice(index, index + 2);
    const end = text.indexOf(fixed, at);
    if (end < 0) return undefined;
    values[name] = text.slice(at, end);
    at = end + fixed.length;
  }
  return values;
}
