import { expect, test } from 'vitest';
import { readSkillHead } from './skill-text.ts';

const head = (fields: string) => readSkillHead(`---\n${fields}\n---\n# Tea\n`, 'tea');

test.each([
  ['name: tea\ndescription: How to make tea.'],
  ['name: "tea"\r\ndescription: \'How to make tea.\'\r\nlicense: MIT'],
  ['description: >\n  How to\n  make tea.\nname: tea\nmetadata:\n  name: other\n  - x'],
  ['__proto__: x\nconstructor: y\nname: tea\nname: other\ndescription: How to make tea.'],
])('front matter %j', (fields) => {
  expect(head(fields)).toEqual({ name: 'tea', description: 'How to make tea.' });
});

test.each([
  ['no front matter', '# Tea', /does not begin with front matter/u],
  ['none that ends', `---\nname: tea\n${'x'.repeat(20_000)}`, /does not begin with front matter/u],
  ['no name', '---\ndescription: x\n---', /name is not made of/u],
  ['a name that leaves the folder', '---\nname: ../tea\ndescription: x\n---', /name is not made of/u],
  ['double hyphens', '---\nname: tea--time\ndescription: x\n---', /name is not made of/u],
  ['a name of 65', `---\nname: ${'a'.repeat(65)}\ndescription: x\n---`, /name is not made of/u],
  ["another's name", '---\nname: coffee\ndescription: x\n---', /not that of its folder/u],
  ['no description', '---\nname: tea\n---', /no description/u],
  ['a description of 1025', `---\nname: tea\ndescription: ${'x'.repeat(1025)}\n---`, /longer than 1024/u],
  ['anchors and tags', '---\na: &a [*a,*a]\nname: !!js/function tea\ndescription: *a\n---', /name is not made of/u],
])('%s is refused by its reason', (_what, text, why) => {
  expect(readSkillHead(text, 'tea')).toMatch(why);
});

test('hostile front matter is read in linear time, and what cannot be seen is left out', () => {
  const long = `${'a: &a [*a]\n'.repeat(300)}${' '.repeat(2000)}\n${'>'.repeat(1000)}`;
  expect(head(`${long}\nname: tea`)).toMatch(/description/u);
  expect(head('name: tea\ndescription: Tea.\u200b\u202e\u0007 Hot.')).toMatchObject({ description: 'Tea. Hot.' });
});
