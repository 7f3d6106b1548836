import { expect, test } from 'vitest';
import { CODE_PROSE } from '../code/ask-model.ts';
import { ProseView } from './prose-view.ts';

function viewed(text: string, isText: boolean): string {
  let shown = '';
  const view = new ProseView((part) => {
    shown += part;
  }, CODE_PROSE);
  for (const part of text.match(/.{1,3}/gsu) ?? []) view.add(part);
  if (isText) view.finish();
  return shown;
}

const LONG = 'This is a plain answer that is long enough to be sure of, and then some.';

test.each([
  ['plain text, whole', LONG, true, LONG],
  ['a short answer, at its end', 'Four.', true, 'Four.'],
  ['nothing of a fence', `\`\`\`js\n${'x();\n'.repeat(20)}\`\`\``, false, ''],
  ['nothing of bare code', `const x = await fetchText('https://example.org/a/long/path');\n${LONG}`, false, ''],
  ['words before a fence, but nothing of it', `${LONG}\n\`\`\`js\nx();\n\`\`\``, false, `${LONG}\n`],
  ['words with one backtick', `${LONG} Use \`npm\`.`, true, `${LONG} Use \`npm\`.`],
])('%s', (_name, text, isText, expected) => {
  expect(viewed(text, isText)).toBe(expected);
});
