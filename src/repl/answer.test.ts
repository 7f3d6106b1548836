import { describe, expect, test } from 'vitest';
import type { TurnEvent } from '../base/turn.ts';
import { openTurnScreen } from '../testing/turn-screen.ts';
import { cellsOf } from './tty/width.ts';

const SIZES = [
  [40, 15],
  [80, 24],
  [200, 60],
] as const;
const answer = (text: string): TurnEvent => ({ type: 'answer', text, stop: 'answered' });
const retry: TurnEvent = { type: 'retry', reason: 'the line broke', waitMs: 1500 };

/** Show a whole answer and give the rows above the line. */
async function rowsOf(text: string, options = {}): Promise<string[]> {
  const screen = openTurnScreen(options);
  screen.show(answer(text));
  return (await screen.transcript()).slice(0, -1);
}

const TABLE =
  '| Town | People | Note |\n|:--|--:|---|\n| Oslo | 709037 | capital |\n| Bergen | 285911 | rain, on most days of the year |';
const LONG = [
  '# Plans',
  'A paragraph with **bold**, *emphasis*, `code` and a [link](https://example.org/a). It is long enough to be wrapped.',
  '- one\n- two\n  - two and a half\n- three',
  '> quoted words that go on for a while, so that they need a second row on most terminals',
  TABLE,
  '```js\nconst answer = 42;\nconsole.log(answer);\n```',
  '1. first\n2. second\n\n---\n\nThe end. 日本語も折り返されます。日本語も折り返されます。日本語も折り返されます。',
].join('\n\n');

describe.each(SIZES)('an answer on a terminal of %i x %i', (columns, rows) => {
  test('token by token it ends as if it had come at once', async () => {
    const streamed = openTurnScreen({ columns, rows });
    streamed.stream(LONG, 3);
    streamed.show(answer(LONG));
    const whole = await rowsOf(LONG, { columns, rows });
    expect((await streamed.transcript()).slice(0, -1)).toEqual(whole);
  });

  test('in frames it ends the same, and no row is wider than the window', async () => {
    const streamed = openTurnScreen({ columns, rows });
    for (let at = 0; at < LONG.length; at += 7) {
      streamed.show({ type: 'token', text: LONG.slice(at, at + 7) });
      streamed.terminal.prompt();
      if (at % 70 === 0) await streamed.see('>');
    }
    streamed.show(answer(LONG));
    const shown = (await streamed.transcript()).slice(0, -1);
    expect(shown).toEqual(await rowsOf(LONG, { columns, rows }));
    for (const row of shown) expect(cellsOf(row)).toBeLessThan(columns);
  });

  test('what is typed meanwhile is neither lost nor mixed into it', async () => {
    const screen = openTurnScreen({ columns, rows });
    const typed = 'my next question is this one';
    for (let at = 0; at < 200; at++) {
      screen.show({ type: 'token', text: 'word ' });
      const letter = typed[at];
      if (letter !== undefined) screen.type(letter);
      if (at === 100) screen.terminal.announce('Reminder: tea');
    }
    screen.show(answer('word '.repeat(200).trim()));
    const all = await screen.transcript();
    expect(all.at(-1)).toBe(`> ${typed}`);
    expect(all.join(' ').match(/word/gu)).toHaveLength(200);
    expect(all.filter((row) => row === 'Reminder: tea')).toHaveLength(1);
  });

  test('a retry takes back what was shown', async () => {
    const screen = openTurnScreen({ columns, rows });
    screen.stream('a wrong beginning');
    await screen.see('a wrong beginning');
    screen.show(retry);
    screen.stream('right');
    screen.show(answer('right'));
    const all = await screen.transcript();
    expect(all).toEqual(['  trying again in 1.5 s: the line broke', 'Wooster: right', '>']);
  });

  test('where a part was printed for good, a retry says that it is discarded', async () => {
    const screen = openTurnScreen({ columns, rows });
    screen.stream('A first block.\n\nA second one');
    await screen.see('A second one');
    screen.show(retry, answer('right'));
    expect(await screen.transcript()).toContain('(the text above is discarded)');
  });

  test('the screen is never cleared', async () => {
    const screen = openTurnScreen({ columns, rows });
    screen.stream(LONG.repeat(5));
    await screen.see('The end');
    screen.show(answer(LONG.repeat(5)));
    for (const forbidden of ['\u001b[2J', '\u001b[3J', '1049']) expect(screen.bytes).not.toContain(forbidden);
  });

  test('resizing in the middle loses nothing', async () => {
    const screen = openTurnScreen({ columns, rows });
    for (let line = 0; line < 40; line++) screen.terminal.line(`line ${line}`);
    screen.stream('An answer that is still open and long enough to take more than one row of a small window.');
    screen.type('draft');
    await screen.see('> draft');
    for (const [wide, high] of [
      [60, 20],
      [33, 12],
      [columns, rows],
    ] as const) {
      await screen.resize(wide, high);
      await screen.see('> draft');
    }
    screen.show(answer('An answer that is still open and long enough to take more than one row of a small window.'));
    const all = await screen.transcript();
    for (let line = 0; line < 40; line++) expect(all.filter((row) => row === `line ${line}`)).toHaveLength(1);
    expect(all.at(-1)).toBe('> draft');
  });
});

describe('blocks', () => {
  test('headings, emphasis and code lose their marks', async () => {
    expect(await rowsOf('# Title\n\nSome **bold** and `code`.')).toEqual([
      'Wooster:',
      'Title',
      '',
      'Some bold and code.',
    ]);
  });

  test('without colours the marks of headings and code stay', async () => {
    const rows = await rowsOf('Try `ls`.\n\n## Next', { ink: { styles: false } });
    expect(rows).toEqual(['Wooster: Try `ls`.', '', '## Next']);
  });

  test('lists are indented below their marks', async () => {
    const rows = await rowsOf('- a long item that is wrapped somewhere\n  1. inner\n- b', { columns: 24 });
    expect(rows).toEqual(['Wooster:', '• a long item that is', '  wrapped somewhere', '  1. inner', '• b']);
  });

  test('line ends within a paragraph stay', async () => {
    expect(await rowsOf('one\ntwo')).toEqual(['Wooster: one', 'two']);
  });

  test('links show where they lead', async () => {
    expect(await rowsOf('See [the page](https://example.org/x) or https://example.org.')).toEqual([
      'Wooster: See the page (https://example.org/x) or https://example.org.',
    ]);
  });

  test('tables are aligned', async () => {
    expect(await rowsOf(TABLE)).toEqual([
      'Wooster:',
      'Town   │ People │ Note',
      '───────┼────────┼───────────────────────────────',
      'Oslo   │ 709037 │ capital',
      'Bergen │ 285911 │ rain, on most days of the year',
    ]);
  });

  test('tables of wide characters are aligned, too', async () => {
    expect(await rowsOf('| 名前 | n |\n|--|--|\n| 東京都 | 1 |\n| a | 22 |')).toEqual([
      'Wooster:',
      '名前   │ n',
      '───────┼───',
      '東京都 │ 1',
      'a      │ 22',
    ]);
  });

  test('cells of a table that is too wide are wrapped', async () => {
    const rows = await rowsOf(TABLE, { columns: 36 });
    expect(rows.slice(4)).toEqual(['Bergen │ 285911 │ rain, on most', '       │        │ days of the year']);
  });

  test('where even that fails, rows become records', async () => {
    expect(await rowsOf(TABLE, { columns: 20 })).toEqual(
      expect.arrayContaining(['Town: Oslo', 'People: 709037', 'Note: capital', '', 'Town: Bergen']),
    );
  });

  test('outside UTF-8 only ASCII is drawn', async () => {
    const rows = await rowsOf(`${TABLE}\n\n- item\n\n> quote\n\n---`, { ink: { unicode: false } });
    expect(rows.join('\n')).toMatch(/^[\n\u0020-\u007e]*$/u);
  });

  test('code stands at the edge, so that it can be copied, and gets colours', async () => {
    const screen = openTurnScreen();
    const code = '```js\nconst a = "b"; // c\n```';
    screen.stream(code);
    await screen.see('const a');
    await expect.poll(() => screen.bytes).toContain('\u001b[35mconst');
    screen.show(answer(code));
    expect(await screen.transcript()).toEqual(['Wooster:', '```js', 'const a = "b"; // c', '```', '>']);
  });

  test('no colours with NO_COLOR', async () => {
    const screen = openTurnScreen({ ink: { styles: false } });
    screen.stream(LONG);
    await screen.see('The end');
    screen.show(answer(LONG));
    expect(screen.bytes).not.toMatch(/\u001b\[[\d;]*m/u);
  });

  test.each([
    ['window title', 'a \u001b]0;owned\u0007b'],
    ['clear', 'a \u001b[2J\u001b[3Jb'],
    ['alternate screen', 'a \u001b[?1049hb'],
    ['in a code block', '```\n\u001b[31mred\u001b]52;c;aGk=\u0007\n```'],
    ['in a table', '| \u001b[2Ja | b |\n|--|--|\n| \u001b]8;;http://x\u0007c | d |'],
    ['bidi override', 'a \u202etxt.exe b'],
    ['split between tokens', 'x\u001b'.repeat(5)],
  ])('what a model writes never drives the terminal: %s', async (_name, text) => {
    const screen = openTurnScreen();
    screen.stream(text, 1);
    screen.show(answer(text));
    const own = screen.bytes.replace(/\u001b\[(?:\?2026[hl]|\d*[ABGJKm]|\d+(?:;\d+)*m|6n)/gu, '');
    expect(own).not.toMatch(/[\u001b\u0007\u202e]/u);
  });

  test('2,000 nested quotes are shown, not fatal', async () => {
    const rows = await rowsOf(`${'> '.repeat(2000)}deep`);
    expect(rows.join('')).toContain('deep');
  });
});
