import { domainToASCII } from 'node:url';

/** The fields of a mail's head, in their order: `[name in lower case, value on one line]`. */
export type MailFields = readonly (readonly [name: string, value: string])[];

/** @see https://www.rfc-editor.org/rfc/rfc5322#section-2.2.3 */
export function readFields(head: string): MailFields {
  const lines = head.replace(/\r?\n(?=[ \t])/gu, ' ').split(/\r?\n/u);
  return lines.flatMap((line) => {
    const { name, value } = /^(?<name>[!-9;-~]+)[ \t]*:(?<value>.*)$/su.exec(line)?.groups ?? {};
    return name === undefined ? [] : [[name.toLowerCase(), (value ?? '').trim()] as const];
  });
}

export function valuesOf(fields: MailFields, name: string): readonly string[] {
  return fields.flatMap(([each, value]) => (each === name ? [value] : []));
}

/**
 * Who wrote a mail, in lower case: the one address of its one From field, if the receiving server says in its own
 * Authentication-Results that its domain stands behind it. The mail server takes out what others wrote in its name.
 *
 * @param server  the name by which the receiving server signs its results.
 * @param from  the addresses of the From field.
 * @returns undefined: nobody who is known for certain.
 * @see https://www.rfc-editor.org/rfc/rfc8601 https://www.rfc-editor.org/rfc/rfc7489#section-3.1
 */
export function senderOf(fields: MailFields, server: string, from: readonly string[]): string | undefined {
  const [address = ''] = from;
  const isOne = from.length === 1 && valuesOf(fields, 'from').length === 1;
  const { domain } = /^[^\s@<>"]+@(?<domain>[^\s@<>"]+)$/u.exec(address)?.groups ?? {};
  if (!isOne || domain === undefined) return undefined;
  const own = valuesOf(fields, 'authentication-results').map(withoutComments).filter(isOf(server));
  const results = own.flatMap((value) => value.split(';').slice(1)).filter((each) => /^\s*dmarc\s*=/iu.test(each));
  const passes = results.length > 0 && results.every((result) => passesFor(result, domain));
  return passes ? address.toLowerCase() : undefined;
}

const isOf = (server: string) => (value: string) => {
  const [, name = ''] = /^\s*"?([^\s;"]+)"?(?:\s+\d+)?\s*(?:;|$)/u.exec(value) ?? [];
  return name.toLowerCase() === server.toLowerCase();
};

function passesFor(result: string, domain: string): boolean {
  const [, named] = /\sheader\.from\s*=\s*"?([^\s;"]+)"?/iu.exec(result) ?? [];
  const ascii = domainToASCII(domain);
  return /^\s*dmarc\s*=\s*pass(?:\s|$)/iu.test(result) && ascii !== '' && domainToASCII(named ?? '') === ascii;
}

/** Comments are in parentheses, one within another, and may say anything. */
function withoutComments(value: string): string {
  let [depth, plain] = [0, ''];
  for (const [token] of value.matchAll(/\\.|[()]|[^\\()]+|\\/gsu)) {
    if (token === '(') depth += 1;
    else if (token === ')') depth -= 1;
    else if (depth === 0) plain += token;
    // What closes more than it opened is not understood, and so says nothing.
    if (depth < 0) return '';
  }
  return depth === 0 ? plain : '';
}
