import { strToU8, zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { readEpub, readOdt, readPptx } from './office.ts';
import { Unreadable } from './parsed.ts';
import { readXlsx } from './xlsx.ts';
import { resolvePath, ZipArchive } from './zip.ts';

const zipped = (parts: Readonly<Record<string, string>>) =>
  zipSync(Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, strToU8(text)])));
/** The relationships of an OOXML part: ids with their targets. */
const relations = (targets: Readonly<Record<string, string>>) =>
  Object.entries(targets)
    .map(([id, target]) => `<Relationship Id="${id}" Type="t" Target="${target}"/>`)
    .join('');

const shape = (text: string, kind = '') => `<p:sp>${kind && `<p:ph type="${kind}"/>`}${text}</p:sp>`;
const paragraph = (...runs: readonly string[]) => `<a:p>${runs.map((run) => `<a:t>${run}</a:t>`).join('')}</a:p>`;

function pptx(slides: readonly string[], more: Readonly<Record<string, string>> = {}): Uint8Array {
  const ids = slides.map((_, at) => `<p:sldId r:id="r${at}"/>`).join('');
  const targets = Object.fromEntries(slides.map((_, at) => [`r${at}`, `slides/slide${at}.xml`]));
  return zipped({
    'ppt/presentation.xml': `<p:presentation>${ids}</p:presentation>`,
    'ppt/_rels/presentation.xml.rels': relations(targets),
    ...Object.fromEntries(slides.map((slide, at) => [`ppt/slides/slide${at}.xml`, `<p:sld>${slide}</p:sld>`])),
    ...more,
  });
}

test('a slide is its title, its paragraphs and tables, and what is said to it', () => {
  const table = `<a:tbl>${paragraph('Tea')}${paragraph('3')}</a:tbl>`;
  const first = [
    shape(paragraph('Where: ', 'north') + paragraph(' ') + paragraph('pier')),
    shape(paragraph('Launch') + paragraph('day'), 'title'),
    shape(paragraph(' '), 'body'),
    table,
  ].join('');
  const file = pptx([first, shape(paragraph('Budget'), 'ctrTitle'), shape(paragraph('No title here'), 'subTitle')], {
    'ppt/slides/_rels/slide0.xml.rels': relations({
      a: '../notesSlides/n0.xml',
      b: '../media/pier.png',
      c: '../notesSlides/gone.xml',
    }),
    'ppt/notesSlides/n0.xml': `<p:notes>${shape(paragraph('Mention the fee'))}${shape(paragraph('Smile'))}</p:notes>`,
  });
  const heading = (text: string, place: string) => ({ kind: 'heading', level: 1, text, place });
  expect(readPptx(file)).toEqual({
    title: 'Launch\nday',
    blocks: [
      heading('Launch\nday', 'slide 1'),
      { kind: 'text', text: 'Where: north\npier\nTea\n3\nMention the fee\nSmile', place: 'slide 1' },
      heading('Budget', 'slide 2'),
      heading('slide 3', 'slide 3'),
      { kind: 'text', text: 'No title here', place: 'slide 3' },
    ],
  });
});

test('a slide that is not in the file is left out, and the others keep their numbers', () => {
  const file = zipped({
    'ppt/presentation.xml': '<p><p:sldId/><p:sldId r:id="gone"/><p:sldId r:id="lost"/><p:sldId r:id="last"/></p>',
    'ppt/_rels/presentation.xml.rels': relations({ lost: 'slides/none.xml', last: '/ppt/slides/s.xml' }),
    'ppt/slides/s.xml': shape(paragraph('Bye')),
  });
  expect(readPptx(file)).toEqual({
    title: 'slide 4',
    blocks: [
      { kind: 'heading', level: 1, text: 'slide 4', place: 'slide 4' },
      { kind: 'text', text: 'Bye', place: 'slide 4' },
    ],
  });
  expect(readPptx(pptx([]))).toEqual({ title: undefined, blocks: [] });
});

test('a text document is read in its order, with headings, lists and tables', () => {
  const cells = (...texts: readonly string[]) =>
    `<table:table-row>${texts.map((text) => `<table:table-cell>${text}</table:table-cell>`).join('')}</table:table-row>`;
  const body = [
    '<text:p>Before\n  all</text:p> ',
    '<text:h text:outline-level="2">  Knots </text:h><text:h> </text:h><text:p/>',
    '<text:list><text:list-item><text:p>one</text:p></text:list-item><text:list-item><text:p>two</text:p>',
    '</text:list-item></text:list>',
    `<table:table>${cells('', ' ')}${cells('Knot', 'Use\n at')}${cells('Bowline', '')}${cells('Hitch', 'Post')}`,
    '</table:table>',
    '<text:h>Plain</text:h><table:table/>',
  ].join('');
  const document = (inner: string) => zipped({ 'content.xml': `<d><office:text>${inner}</office:text></d>` });
  expect(readOdt(document(body))).toEqual({
    title: 'Knots',
    blocks: [
      { kind: 'text', text: 'Before all' },
      { kind: 'heading', level: 2, text: 'Knots' },
      { kind: 'text', text: 'one' },
      { kind: 'text', text: 'two' },
      {
        kind: 'table',
        header: 'Knot | Use at',
        rows: [
          { text: 'Bowline | ', number: 2 },
          { text: 'Hitch | Post', number: 3 },
        ],
      },
      { kind: 'heading', level: 1, text: 'Plain' },
      { kind: 'table', header: '', rows: [] },
    ],
  });
  expect(readOdt(document('<text:p>x</text:p>')).title).toBeUndefined();
});

function epub(chapters: Readonly<Record<string, string>>, { title = '', spine = Object.keys(chapters) } = {}) {
  const items = Object.keys(chapters).map((href, at) => `<item id="i${at}" href="${href}"/>`);
  const at = (href: string) => Object.keys(chapters).indexOf(href);
  const order = spine.map((href) => `<itemref idref="i${at(href)}"/>`);
  return zipped({
    'META-INF/container.xml': '<c><rootfile full-path="OEBPS/book.opf"/></c>',
    'OEBPS/book.opf': `<package>${title}${items.join('')}<spine>${order.join('')}</spine></package>`,
    ...Object.fromEntries(Object.entries(chapters).map(([href, text]) => [`OEBPS/${href}`.replace('%20', ' '), text])),
  });
}

test('the chapters of a book are read in reading order, each by its number', () => {
  const chapters = {
    'b.xhtml': '<h2>Two</h2>',
    'text/a.xhtml': '<p>One</p>',
    'gone.xhtml': '',
    'c.xhtml': '<p>Three</p>',
  };
  const spine = ['text/a.xhtml', 'unknown.xhtml', 'b.xhtml', 'c.xhtml'];
  const titles = '<dc:title> The light</dc:title><dc:title>house </dc:title>';
  expect(readEpub(epub(chapters, { title: titles, spine }))).toEqual({
    title: 'The light house',
    blocks: [
      { kind: 'text', text: 'One', place: 'chapter 1' },
      { kind: 'heading', level: 2, text: 'Two', place: 'chapter 3' },
      { kind: 'text', text: 'Three', place: 'chapter 4' },
    ],
  });
  expect(readEpub(epub({}))).toEqual({ title: undefined, blocks: [] });
});

const STYLES = [
  '<numFmts><numFmt numFmtId="164" formatCode="yyyy"/><numFmt numFmtId="165" formatCode="0.0&quot; d&quot;"/>',
  '<numFmt numFmtId="166" formatCode="[Red]0"/><numFmt numFmtId="167"/></numFmts>',
  '<cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/>',
  '<xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="166"/><xf numFmtId="22"/></cellXfs>',
].join('');

function xlsx(sheets: Readonly<Record<string, string>>, more: Readonly<Record<string, string>> = {}): Uint8Array {
  const names = Object.keys(sheets);
  const targets = Object.fromEntries(names.map((_, at) => [`r${at}`, `worksheets/sheet${at}.xml`]));
  return zipped({
    'xl/workbook.xml': `<w>${names.map((name, at) => `<sheet name="${name}" r:id="r${at}"/>`).join('')}</w>`,
    'xl/_rels/workbook.xml.rels': relations(targets),
    ...Object.fromEntries(names.map((name, at) => [`xl/worksheets/sheet${at}.xml`, `<s>${sheets[name]}</s>`])),
    ...more,
  });
}

test('each sheet of a workbook is a table, with the numbers of its rows', () => {
  const row = (number: string, ...values: readonly string[]) =>
    `<row${number && ` r="${number}"`}>${values.map((value) => `<c><v>${value}</v></c>`).join('')}</row>`;
  const file = xlsx(
    { Beds: row('2', 'Plant', 'Rows') + row('3', '', ' ') + row('5', 'Leek', '3'), Empty: '', Bare: row('', 'Only') },
    { 'xl/worksheets/other.xml': row('1', 'not in the workbook') },
  );
  expect(readXlsx(file)).toEqual({
    blocks: [
      { kind: 'heading', level: 1, text: 'Beds', place: 'Beds, row 1' },
      { kind: 'table', header: 'Plant | Rows', rows: [{ text: 'Leek | 3', number: 5 }], place: 'Beds, row ' },
      { kind: 'heading', level: 1, text: 'Bare', place: 'Bare, row 1' },
      { kind: 'table', header: 'Only', rows: [], place: 'Bare, row ' },
    ],
  });
});

test.each([
  ['a number', '<c><v> 3.5 </v></c>', '3.5'],
  ['a shared text of several runs, on one line', '<c t="s"><v>1</v></c>', 'deep blue'],
  ['a shared text that is not there', '<c t="s"><v>7</v></c>', ''],
  ['a text of its own', '<c t="inlineStr"><is><t> in </t><t>line </t></is></c>', 'in line'],
  ['true', '<c t="b"><v>1</v></c>', 'true'],
  ['false', '<c t="b"><v>0</v></c>', 'false'],
  ["a formula's text", '<c t="str"><v>45366</v></c>', '45366'],
  ['a day', '<c s="1"><v>45366</v></c>', '2024-03-15'],
  ['a day with its time, to the minute', '<c s="5"><v>45366.52084</v></c>', '2024-03-15 12:30'],
  ['a day in a form of its own', '<c s="2"><v>45366</v></c>', '2024-03-15'],
  ['words in a form are no day', '<c s="3"><v>45366</v></c>', '45366'],
  ['nor are colours', '<c s="4"><v>45366</v></c>', '45366'],
  ['a number in no form', '<c s="0"><v>45366</v></c>', '45366'],
  ['what is no number in the form of a day', '<c s="1"><v>soon</v></c>', ''],
  ['text in the form of a day', '<c s="1" t="str"><v>soon</v></c>', 'soon'],
  ['nothing in the form of a day', '<c s="1"><v></v></c>', ''],
])('a cell: %s', (_what, cell, expected) => {
  const parts = {
    'xl/sharedStrings.xml': '<sst><si><t>sea</t></si><si><r><t>deep\n </t></r><r><t>blue </t></r></si></sst>',
    'xl/styles.xml': STYLES,
  };
  const [, table] = readXlsx(xlsx({ A: `<row><c><v>x</v></c>${cell}</row>` }, parts)).blocks;
  expect(table).toMatchObject({ header: `x | ${expected}` });
  // Without styles no number is a date.
  const [, plain] = readXlsx(xlsx({ A: '<row><c s="1"><v>45366</v></c></row>' })).blocks;
  expect(plain).toMatchObject({ header: '45366' });
});

test.each([
  ['presentation', readPptx],
  ['text document', readOdt],
  ['book', readEpub],
  ['workbook', readXlsx],
])('an archive of something else is no %s', (what, reader) => {
  expect(() => reader(zipped({ 'a.xml': '<a/>', 'META-INF/container.xml': '<c><rootfile/></c>' }))).toThrow(
    new Unreadable(`not a ${what}`),
  );
});

test('a book whose parts are missing is none', () => {
  const container = '<c><rootfile full-path="gone.opf"/></c>';
  expect(() => readEpub(zipped({ 'META-INF/container.xml': container }))).toThrow(new Unreadable('not a book'));
});

test('of an archive only the wanted parts are unpacked, and packed again', () => {
  const archive = new ZipArchive(zipped({ 'a.xml': '<a/>', 'b.png': 'x' }), /\.xml$/u);
  expect(archive.names()).toEqual(['a.xml']);
  expect([archive.text('a.xml'), archive.text('b.png'), archive.xml('b.png')]).toEqual(['<a/>', undefined, undefined]);
  expect(new ZipArchive(archive.packed(), /./u).names()).toEqual(['a.xml']);
});

test.each([
  ['ppt/notes/', '../slides/a.xml', 'ppt/slides/a.xml'],
  ['ppt/', '/ppt/a.xml', 'ppt/a.xml'],
  ['', 'a.xml', 'a.xml'],
  ['OEBPS/', '../../../a.xml', 'a.xml'],
])('seen from %j, %s is %s', (folder, target, path) => expect(resolvePath(folder, target)).toBe(path));

test('the targets of a part are read by their ids; what has no id or no target is none', () => {
  const archive = new ZipArchive(
    zipped({
      'a/_rels/b.xml.rels':
        '<Relationships><Relationship Id="x" Target="c.xml"/><Relationship Target="../d.xml" Id="y"></Relationship>' +
        '<Relationship Id="z"/><Relationship Target="e.xml"/></Relationships>',
      '_rels/top.xml.rels': '<Relationship\nId="x"\nTarget="a/b.xml"/>',
    }),
    /./u,
  );
  expect([...archive.relations('a/b.xml')]).toEqual([
    ['x', 'a/c.xml'],
    ['y', 'd.xml'],
  ]);
  expect([...archive.relations('top.xml')]).toEqual([['x', 'a/b.xml']]);
  expect([...archive.relations('none.xml')]).toEqual([]);
});
