import { describe, expect, test } from 'vitest';
import { openLiveScreen } from '../testing/live-screen.ts';

const SIZES = [
  [40, 15],
  [80, 24],
  [200, 60],
] as const;
const CTRL = (letter: string) => String.fromCharCode(letter.charCodeAt(0) - 96);
const UP = '\u001b[A';
const DOWN = '\u001b[B';
const LEFT = '\u001b[D';
const pasted = (text: string) => `\u001b[200~${text}\u001b[201~`;
const history = (...texts: string[]) => texts.map((text) => ({ text, project: 'home' }));

describe.each(SIZES)('the line on a terminal of %i x %i', (columns, rows) => {
  const open = (options = {}) => openLiveScreen({ columns, rows, ...options });

  test('shows what is typed, and the cursor behind it', async () => {
    const screen = open();
    void screen.terminal.next();
    screen.type('hello');
    expect(await screen.shown()).toEqual(['> hello']);
    expect(await screen.cursor()).toEqual({ x: 7, y: 0 });
  });

  test('Enter sends the line, and it stays above what comes', async () => {
    const screen = open();
    const line = screen.terminal.next();
    screen.type('what is 2 + 3?\r');
    expect(await line).toBe('what is 2 + 3?');
    screen.terminal.line('5');
    expect(await screen.shown()).toEqual(['> what is 2 + 3?', '5', '>']);
  });

  test('a long line goes on in the next row, and the cursor with it', async () => {
    const screen = open();
    void screen.terminal.next();
    screen.type('x'.repeat(columns));
    const width = columns - 3;
    expect(await screen.shown()).toEqual([`> ${'x'.repeat(width)}`, `  ${'x'.repeat(columns - width)}`]);
    expect(await screen.cursor()).toEqual({ x: 2 + columns - width, y: 1 });
  });

  test('wide characters are never split at the edge', async () => {
    const screen = open();
    void screen.terminal.next();
    screen.type('日本語'.repeat(30));
    const shown = await screen.shown();
    expect(shown.map((row) => row.slice(2)).join('')).toBe('日本語'.repeat(30));
    expect((await screen.cursor()).y).toBe(shown.length - 1);
  });

  test('a line of other text above does not touch the line', async () => {
    const screen = open();
    void screen.terminal.next();
    screen.type('half a sen');
    screen.terminal.announce('Reminder: drink water');
    screen.type('tence');
    expect(await screen.shown()).toEqual(['Reminder: drink water', '> half a sentence']);
    expect(await screen.cursor()).toEqual({ x: 17, y: 1 });
  });

  test('editing in the middle leaves the rest', async () => {
    const screen = open();
    void screen.terminal.next();
    screen.type(`one three${LEFT.repeat(5)}two `);
    expect(await screen.shown()).toEqual(['> one two three']);
    expect(await screen.cursor()).toEqual({ x: 10, y: 0 });
  });

  test('500 pasted lines are one placeholder, sent whole', async () => {
    const screen = open();
    const line = screen.terminal.next();
    const letter = Array.from({ length: 500 }, (_, index) => `line ${index}`).join('\n');
    screen.type(pasted(`${letter}\n`));
    expect(await screen.shown()).toEqual(['> [pasted #1, 501 lines]']);
    screen.type(' sum it up\r');
    expect(await line).toBe(`${letter}\n sum it up`);
    expect((await screen.shown())[0]).toBe('> [pasted #1, 501 lines] sum it up');
  });

  test('a question puts the line aside and gives it back', async () => {
    const screen = open();
    void screen.terminal.next();
    screen.type('my draft');
    const answer = screen.terminal.ask('Delete it? [y/N]');
    screen.type('y\r');
    expect(await answer).toBe('y');
    expect(await screen.shown()).toEqual(['Delete it? [y/N] y', '> my draft']);
  });

  test('10,000 lines of transcript stay as they were printed', async () => {
    const screen = open();
    void screen.terminal.next();
    for (let index = 0; index < 10_000; index += 100) {
      screen.terminal.line(Array.from({ length: 100 }, (_, line) => `line ${index + line}`).join('\n'));
    }
    screen.clearBytes();
    screen.type('abc');
    expect(screen.bytes.length).toBeLessThanOrEqual(12);
    const all = await screen.transcript();
    expect(all.slice(0, 10_000)).toEqual(Array.from({ length: 10_000 }, (_, line) => `line ${line}`));
    expect(all.slice(10_000)).toEqual(['> abc']);
  });
});

describe('keys that people have in their fingers', () => {
  test.each([
    ['Ctrl-A and Ctrl-E', `world${CTRL('a')}hello ${CTRL('e')}!`, 'hello world!'],
    ['Ctrl-W', `one two${CTRL('w')}three`, 'one three'],
    ['Alt-Backspace', 'one-two\u001b\u007fthree', 'one-three'],
    ['Ctrl-U', `wrong${CTRL('u')}right`, 'right'],
    ['Ctrl-K and Ctrl-Y', `keep cut${LEFT.repeat(4)}${CTRL('k')}${CTRL('a')}${CTRL('y')}`, ' cutkeep'],
    ['Alt-Y after Ctrl-Y', `a b${CTRL('w')}${LEFT}${CTRL('e')}${CTRL('w')}${CTRL('y')}\u001by`, 'b'],
    ['Alt-B and Alt-D', 'one two three\u001bb\u001bb\u001bd', 'one  three'],
    ['Ctrl-T', `teh${CTRL('t')}`, 'the'],
    ['Alt-C', `london${CTRL('a')}\u001bc`, 'London'],
    ['Ctrl-_ undoes', `one two${CTRL('u')}\u001f`, 'one two'],
    ['Ctrl-D deletes forward', `abc${CTRL('a')}${CTRL('d')}`, 'bc'],
    ['Backspace over an emoji', 'a👩‍💻\u007fb', 'ab'],
    ['Backspace over a letter with an accent', 'ae\u0301\u007fb', 'ab'],
    ['Delete', `abc${LEFT}\u001b[3~`, 'ab'],
    ['Ctrl-Left', 'one two\u001b[1;5Dx', 'one xtwo'],
  ])('%s', async (_name, keys, text) => {
    const screen = openLiveScreen();
    const line = screen.terminal.next();
    screen.type(keys);
    screen.type('\r');
    expect((await line)?.normalize('NFD')).toBe(text.normalize('NFD'));
  });

  test.each([
    ['Alt-Enter', 'one\u001b\rtwo'],
    ['Ctrl-J', 'one\ntwo'],
    ['a backslash at the end', 'one\\\rtwo'],
    ['Shift-Enter where the terminal tells it', 'one\u001b[13;2utwo'],
  ])('%s starts a new line', async (_name, keys) => {
    const screen = openLiveScreen();
    const line = screen.terminal.next();
    screen.type(keys);
    expect(await screen.shown()).toEqual(['> one', '  two']);
    screen.type('\r');
    expect(await line).toBe('one\ntwo');
  });

  test('Up moves inside the text first, then through what was sent before', async () => {
    const screen = openLiveScreen({ history: history('older', 'newer') });
    void screen.terminal.next();
    screen.type('one\ntwo');
    screen.type(`${UP}X`);
    expect(await screen.shown()).toEqual(['> oneX', '  two']);
    screen.type(UP);
    expect(await screen.shown()).toEqual(['> newer']);
    screen.type(UP);
    expect(await screen.shown()).toEqual(['> older']);
    screen.type(DOWN + DOWN);
    expect(await screen.shown()).toEqual(['> oneX', '  two']);
  });

  test('lines of the project come first', async () => {
    const other = { text: 'of another project', project: 'work' };
    const screen = openLiveScreen({ history: [...history('of this one'), other] });
    screen.terminal.project('home');
    void screen.terminal.next();
    screen.type(UP);
    expect(await screen.shown()).toEqual(['> of this one']);
  });

  test('Ctrl-R searches; Enter takes without sending; Esc gives the line back', async () => {
    const screen = openLiveScreen({ history: history('plan the garden', 'buy seeds', 'water the garden') });
    void screen.terminal.next();
    screen.type(`draft${CTRL('r')}gard`);
    expect(await screen.shown()).toEqual(['  water the garden', 'search: gard']);
    screen.type(CTRL('r'));
    expect(await screen.shown()).toEqual(['  plan the garden', 'search: gard']);
    screen.type('\r');
    expect(await screen.shown()).toEqual(['> plan the garden']);
    screen.type(`${CTRL('r')}zzz${CTRL('g')}`);
    expect(await screen.shown()).toEqual(['> plan the garden']);
  });

  test('Ctrl-O opens a long paste', async () => {
    const screen = openLiveScreen();
    void screen.terminal.next();
    screen.type(pasted(Array.from({ length: 12 }, (_, line) => `row ${line}`).join('\n')));
    screen.type(CTRL('o'));
    expect((await screen.shown()).slice(-2)).toEqual(['  row 10', '  row 11']);
  });

  test('Ctrl-O opens it from behind the cursor, too, and the cursor stays with its words', async () => {
    const screen = openLiveScreen();
    const line = screen.terminal.next();
    const letter = Array.from({ length: 12 }, (_, row) => `row ${row}`).join('\n');
    screen.type(`see 👩‍💻 ${pasted(letter)}`);
    screen.type(` sum${CTRL('o')} it up\r`);
    expect(await line).toBe(`see 👩‍💻 ${letter} sum it up`);
  });

  test('Ctrl-X Ctrl-E edits in the own editor', async () => {
    const screen = openLiveScreen({ editOutside: async (text) => `${text}, edited` });
    void screen.terminal.next();
    screen.type(`draft${CTRL('x')}${CTRL('e')}`);
    await screen.see('> draft, edited');
    expect(screen.isRaw).toBe(true);
  });

  test('what comes while that has the terminal is printed when it is back', async () => {
    const saved = Promise.withResolvers<string>();
    const screen = openLiveScreen({ editOutside: () => saved.promise });
    void screen.terminal.next();
    screen.type(`draft${CTRL('x')}${CTRL('e')}`);
    screen.clearBytes();
    screen.terminal.line('a reminder');
    screen.terminal.activity('thinking');
    await screen.resize(60, 20);
    await new Promise((resolve) => setTimeout(resolve, 350));
    expect(screen.bytes).toBe('');
    saved.resolve('better');
    await screen.see('> better');
    expect(await screen.shown()).toEqual(['a reminder', 'thinking, 0 s, Ctrl-C stops', '> better']);
  });

  test('an editor that fails is said, and the line stays', async () => {
    const screen = openLiveScreen();
    void screen.terminal.next();
    screen.type(`draft${CTRL('x')}${CTRL('e')}`);
    await screen.see('the editor failed');
    await screen.see('> draft');
  });
});

describe('completion', () => {
  const items = ['/doctor ', '/docs '].map((value) => ({ value, note: `about ${value}` }));
  const complete = async (text: string) => ({ from: 0, items: items.filter(({ value }) => value.startsWith(text)) });

  test('a menu opens below while a command is typed, Tab takes what is common, Enter takes the selected', async () => {
    const screen = openLiveScreen({ complete });
    const line = screen.terminal.next();
    screen.type('/d');
    await screen.see('about /docs');
    screen.type('\t');
    await screen.see('> /doc');
    screen.type('\t');
    await screen.see('> /doctor');
    screen.type('\r');
    expect((await screen.shown())[0]).toBe('> /doctor');
    screen.type('\r');
    expect(await line).toBe('/doctor ');
  });

  test('a single possibility is taken by Tab, and Esc closes the menu', async () => {
    const screen = openLiveScreen({ complete });
    void screen.terminal.next();
    screen.type('/docs');
    screen.type('\t');
    await screen.see('> /docs');
    screen.type(CTRL('u'));
    screen.type('/d');
    await screen.see('about /doctor');
    screen.type(CTRL('g'));
    expect(await screen.shown()).toEqual(['> /d']);
  });

  test('answers that come too late are dropped', async () => {
    const late = Promise.withResolvers<undefined>();
    const screen = openLiveScreen({
      complete: async (text) => (text === '/' ? late.promise.then(() => ({ from: 0, items })) : undefined),
    });
    void screen.terminal.next();
    screen.type('/');
    screen.type('x');
    late.resolve(undefined);
    await late.promise;
    expect(await screen.shown()).toEqual(['> /x']);
  });
});

describe('while something runs', () => {
  test('what is typed is shown, Enter queues it, and it is echoed when its turn comes', async () => {
    const screen = openLiveScreen();
    const first = screen.terminal.next();
    screen.type('first\r');
    await first;
    screen.type('second\r');
    screen.type('thi');
    expect(await screen.shown()).toEqual(['> first', 'next: second', '> thi']);
    screen.terminal.line('answer to the first');
    expect(await screen.terminal.next()).toBe('second');
    expect(await screen.shown()).toEqual(['> first', 'answer to the first', '> second', '> thi']);
  });

  test('Alt-Up takes the last one back', async () => {
    const screen = openLiveScreen();
    screen.type('one\r');
    screen.type('two\r');
    screen.type('\u001b[1;3A');
    expect(await screen.shown()).toEqual(['next: one', '> two']);
  });

  test('Ctrl-S and /steer reach what is running', async () => {
    const screen = openLiveScreen();
    const said: string[] = [];
    screen.terminal.onSteer((text) => void said.push(text));
    screen.type(`shorter, please${CTRL('s')}`);
    screen.type('/steer in German\r');
    expect(said).toEqual(['shorter, please', 'in German']);
    expect(await screen.shown()).toEqual(['>']);
  });

  test('Ctrl-C keeps what is being typed', async () => {
    const screen = openLiveScreen();
    const interrupts: boolean[] = [];
    screen.terminal.onInterrupt((again) => void interrupts.push(again));
    screen.type(`draft${CTRL('c')}`);
    expect(interrupts).toEqual([false]);
    expect(await screen.shown()).toEqual(['> draft']);
  });

  test('the second Ctrl-C counts only while the hint stands', async () => {
    const screen = openLiveScreen();
    const interrupts: boolean[] = [];
    screen.terminal.onInterrupt((again) => {
      interrupts.push(again);
      screen.terminal.hint('again leaves');
    });
    void screen.terminal.next();
    screen.type(CTRL('c'));
    screen.type('x');
    screen.type(`\u007f${CTRL('c')}`);
    screen.type(CTRL('c'));
    expect(interrupts).toEqual([false, false, true]);
  });

  test('Ctrl-C with nothing running clears the line, and Up recalls it', async () => {
    const screen = openLiveScreen();
    void screen.terminal.next();
    screen.type(`a long thought${CTRL('c')}`);
    expect(await screen.shown()).toEqual(['>']);
    screen.type(UP);
    expect(await screen.shown()).toEqual(['> a long thought']);
    expect(screen.remembered).toEqual([]);
  });

  test('Ctrl-D on an empty line is the end', async () => {
    const screen = openLiveScreen();
    const line = screen.terminal.next();
    screen.type(CTRL('d'));
    expect(await line).toBeUndefined();
  });

  test('a quick turn shows no activity, a slow one says what it does and for how long', async () => {
    const screen = openLiveScreen();
    screen.terminal.activity('thinking');
    screen.terminal.prompt();
    expect(await screen.shown()).toEqual(['>']);
    // On a busy machine it may be a second or two by then.
    await screen.see(' s, Ctrl-C stops');
    screen.terminal.activity(undefined);
    screen.terminal.line('done');
    expect((await screen.shown())[0]).toBe('done');
  });
});
