import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { strToU8, zipSync } from 'fflate';

/** Write small real files of every binary format, for the tests of the readers: node scripts/make-fixtures.ts */
const FOLDER = join(import.meta.dirname, '../src/rag/read/fixtures');
const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const OFFICE = 'http://schemas.openxmlformats.org';
const RELATIONS = `${OFFICE}/officeDocument/2006/relationships`;

function save(name: string, parts: Record<string, string>): void {
  const files = Object.entries(parts).map(([path, text]) => [path, strToU8(text)] as const);
  // A fixed time, so that the same content gives the same bytes.
  writeFileSync(join(FOLDER, name), zipSync(Object.fromEntries(files), { mtime: new Date(2024, 0, 1) }));
}

function relations(targets: Record<string, [type: string, target: string]>): string {
  const each = Object.entries(targets).map(
    ([id, [type, target]]) => `<Relationship Id="${id}" Type="${RELATIONS}/${type}" Target="${target}"/>`,
  );
  return `${XML}<Relationships xmlns="${OFFICE}/package/2006/relationships">${each.join('')}</Relationships>`;
}

function contentTypes(overrides: Record<string, string>): string {
  const each = Object.entries(overrides).map(
    ([part, type]) =>
      `<Override PartName="${part}" ContentType="application/vnd.openxmlformats-officedocument.${type}+xml"/>`,
  );
  return `${XML}<Types xmlns="${OFFICE}/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${each.join('')}</Types>`;
}

function docx(): void {
  const paragraph = (text: string, style = '') =>
    `<w:p>${style ? `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>` : ''}<w:r><w:t>${text}</w:t></w:r></w:p>`;
  const cell = (text: string) => `<w:tc>${paragraph(text)}</w:tc>`;
  const table = `<w:tbl><w:tr>${cell('Tool')}${cell('Shelf')}</w:tr><w:tr>${cell('Chisel')}${cell('B2')}</w:tr></w:tbl>`;
  const body = `${paragraph('Workshop handbook', 'Heading1')}${paragraph('Keep the bench clear.')}${paragraph('Glue', 'Heading2')}${paragraph('Hide glue sets in twelve hours.')}${table}`;
  const style = (id: string, name: string) =>
    `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${name}"/></w:style>`;
  const space = `xmlns:w="${OFFICE}/wordprocessingml/2006/main"`;
  save('handbook.docx', {
    '[Content_Types].xml': contentTypes({
      '/word/document.xml': 'wordprocessingml.document.main',
      '/word/styles.xml': 'wordprocessingml.styles',
    }),
    '_rels/.rels': relations({ rId1: ['officeDocument', 'word/document.xml'] }),
    'word/_rels/document.xml.rels': relations({ rId1: ['styles', 'styles.xml'] }),
    'word/styles.xml': `${XML}<w:styles ${space}>${style('Heading1', 'heading 1')}${style('Heading2', 'heading 2')}</w:styles>`,
    'word/document.xml': `${XML}<w:document ${space}><w:body>${body}</w:body></w:document>`,
  });
}

function pptx(): void {
  const space = `xmlns:a="${OFFICE}/drawingml/2006/main" xmlns:p="${OFFICE}/presentationml/2006/main" xmlns:r="${RELATIONS}"`;
  const shape = (text: string, type: string) =>
    `<p:sp><p:nvSpPr><p:cNvPr id="2" name="x"/><p:cNvSpPr/><p:nvPr><p:ph type="${type}"/></p:nvPr></p:nvSpPr><p:spPr/><p:txBody><a:bodyPr/>${text
      .split('\n')
      .map((line) => `<a:p><a:r><a:t>${line}</a:t></a:r></a:p>`)
      .join('')}</p:txBody></p:sp>`;
  const tree = (shapes: string) =>
    `<p:cSld><p:spTree><p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr/>${shapes}</p:spTree></p:cSld>`;
  const slide = (title: string, body: string) =>
    `${XML}<p:sld ${space}>${tree(shape(title, 'title') + shape(body, 'body'))}</p:sld>`;
  save('launch.pptx', {
    '[Content_Types].xml': contentTypes({
      '/ppt/presentation.xml': 'presentationml.presentation.main',
      '/ppt/slides/slide1.xml': 'presentationml.slide',
      '/ppt/slides/slide2.xml': 'presentationml.slide',
      '/ppt/notesSlides/notesSlide1.xml': 'presentationml.notesSlide',
    }),
    '_rels/.rels': relations({ rId1: ['officeDocument', 'ppt/presentation.xml'] }),
    'ppt/_rels/presentation.xml.rels': relations({
      rId7: ['slide', 'slides/slide2.xml'],
      rId8: ['slide', 'slides/slide1.xml'],
    }),
    // The second file is shown first: order is the presentation's, not the names'.
    'ppt/presentation.xml': `${XML}<p:presentation ${space}><p:sldIdLst><p:sldId id="256" r:id="rId7"/><p:sldId id="257" r:id="rId8"/></p:sldIdLst></p:presentation>`,
    'ppt/slides/slide1.xml': slide('Budget', 'Two boats\nOne crane'),
    'ppt/slides/slide2.xml': slide('Launch day', 'We start at the north pier'),
    'ppt/slides/_rels/slide1.xml.rels': relations({ rId1: ['notesSlide', '../notesSlides/notesSlide1.xml'] }),
    'ppt/notesSlides/notesSlide1.xml': `${XML}<p:notes ${space}>${tree(shape('Mention the harbour fee', 'body'))}</p:notes>`,
  });
}

function xlsx(): void {
  const main = `xmlns="${OFFICE}/spreadsheetml/2006/main"`;
  const strings = ['Plant', 'Sown', 'Beds', 'Leek', 'Chard'];
  const row = (number: number, cells: string) => `<row r="${number}">${cells}</row>`;
  const text = (at: string, index: number) => `<c r="${at}" t="s"><v>${index}</v></c>`;
  const rows = [
    row(1, text('A1', 0) + text('B1', 1) + text('C1', 2)),
    row(2, `${text('A2', 3)}<c r="B2" s="1"><v>45366</v></c><c r="C2"><v>3</v></c>`),
    row(3, `${text('A3', 4)}<c r="B3" s="1"><v>45383</v></c><c r="C3"><v>1.5</v></c>`),
  ];
  save('garden.xlsx', {
    '[Content_Types].xml': contentTypes({
      '/xl/workbook.xml': 'spreadsheetml.sheet.main',
      '/xl/worksheets/sheet1.xml': 'spreadsheetml.worksheet',
      '/xl/sharedStrings.xml': 'spreadsheetml.sharedStrings',
      '/xl/styles.xml': 'spreadsheetml.styles',
    }),
    '_rels/.rels': relations({ rId1: ['officeDocument', 'xl/workbook.xml'] }),
    'xl/_rels/workbook.xml.rels': relations({ rId1: ['worksheet', 'worksheets/sheet1.xml'] }),
    'xl/workbook.xml': `${XML}<workbook ${main} xmlns:r="${RELATIONS}"><sheets><sheet name="Beds 2024" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/sharedStrings.xml': `${XML}<sst ${main}>${strings.map((each) => `<si><t>${each}</t></si>`).join('')}</sst>`,
    'xl/styles.xml': `${XML}<styleSheet ${main}><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>`,
    'xl/worksheets/sheet1.xml': `${XML}<worksheet ${main}><sheetData>${rows.join('')}</sheetData></worksheet>`,
  });
}

function odt(): void {
  const names = ['office', 'text', 'table'].map(
    (name) => `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`,
  );
  const cell = (value: string) => `<table:table-cell><text:p>${value}</text:p></table:table-cell>`;
  const table = `<table:table><table:table-row>${cell('Knot')}${cell('Use')}</table:table-row><table:table-row>${cell('Bowline')}${cell('Mooring')}</table:table-row></table:table>`;
  const body = `<text:h text:outline-level="1">Sailing notes</text:h><text:p>Reef early.</text:p><text:h text:outline-level="2">Knots</text:h><text:list><text:list-item><text:p>Practise blindfolded.</text:p></text:list-item></text:list>${table}`;
  save('sailing.odt', {
    mimetype: 'application/vnd.oasis.opendocument.text',
    'META-INF/manifest.xml': `${XML}<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"><manifest:file-entry manifest:full-path="/" manifest:media-type="application/vnd.oasis.opendocument.text"/><manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/></manifest:manifest>`,
    'content.xml': `${XML}<office:document-content ${names.join(' ')} office:version="1.2"><office:body><office:text>${body}</office:text></office:body></office:document-content>`,
  });
}

function epub(): void {
  const page = (title: string, text: string) =>
    `${XML}<html xmlns="http://www.w3.org/1999/xhtml"><head><title>${title}</title></head><body><h1>${title}</h1><p>${text}</p></body></html>`;
  save('island.epub', {
    mimetype: 'application/epub+zip',
    'META-INF/container.xml': `${XML}<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="OEBPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>`,
    'OEBPS/book.opf': `${XML}<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:identifier id="id">urn:x</dc:identifier><dc:title>The small island</dc:title><dc:language>en</dc:language></metadata><manifest><item id="b" href="text/b.xhtml" media-type="application/xhtml+xml"/><item id="a" href="text/a.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="a"/><itemref idref="b"/></spine></package>`,
    'OEBPS/text/a.xhtml': page('Arrival', 'The boat came in at dusk.'),
    'OEBPS/text/b.xhtml': page('The lighthouse', 'Its lamp turns once in nine seconds.'),
  });
}

/** Objects and the table of their places, as the format wants them. */
function pdfBytes(objects: readonly string[], trailer: string): string {
  let text = '%PDF-1.4\n';
  const places = objects.map((object, index) => {
    const at = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(at).padStart(10, '0')} 00000 n \n`;
  });
  const start = text.length;
  return `${text}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${places.join('')}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${trailer} >>\nstartxref\n${start}\n%%EOF\n`;
}

function pdf(): void {
  const page = (content: number) =>
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 200] /Resources << /Font << /F1 7 0 R >> >> /Contents ${content} 0 R >>`;
  const content = (text: string) => {
    const stream = `BT /F1 12 Tf 20 150 Td (${text}) Tj ET`;
    return `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`;
  };
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 >>',
    page(5),
    page(6),
    content('The warranty lasts two years.'),
    content('Returns are free within thirty days.'),
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    '<< /Title (Warranty terms) >>',
  ];
  writeFileSync(join(FOLDER, 'warranty.pdf'), pdfBytes(objects, '/Info 8 0 R'), 'latin1');
  const key = `<${'41'.repeat(32)}>`;
  const lock = `<< /Filter /Standard /V 1 /R 2 /O ${key} /U ${key} /P -4 >>`;
  writeFileSync(
    join(FOLDER, 'locked.pdf'),
    pdfBytes([...objects, lock], '/Info 8 0 R /Encrypt 9 0 R /ID [<00> <00>]'),
    'latin1',
  );
}

docx();
pptx();
xlsx();
odt();
epub();
pdf();
