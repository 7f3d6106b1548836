/** What can stand in an element: text is never read as markup. */
export type Child = Node | string | false | null | undefined | readonly Child[];

type Attribute = string | number | boolean | undefined;

export interface Props {
  readonly class?: string;
  /** Called with the event; `this` is not used. */
  readonly on?: Readonly<Record<string, (event: Event) => unknown>>;
  readonly [attribute: string]: Attribute | Readonly<Record<string, (event: Event) => unknown>>;
}

/** Make an element. `true` is an attribute without a value; `false` and `undefined` leave it out. */
export function h<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  props: Props = {},
  ...children: Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (name === 'on') continue;
    if (value !== undefined && value !== false) element.setAttribute(name, value === true ? '' : String(value));
  }
  for (const [name, hear] of Object.entries(props.on ?? {})) element.addEventListener(name, hear);
  add(element, children);
  return element;
}

/** Put these behind what is there. */
export function add(parent: Node, children: readonly Child[]): void {
  for (const child of children.flat(9) as Child[])
    if (child) parent.appendChild(child instanceof Node ? child : new Text(child as string));
}

/** Put these in the place of what is there. */
export function fill(parent: Element, ...children: Child[]): void {
  parent.replaceChildren();
  add(parent, children);
}

const MADE_OF = new WeakMap<Element, { readonly key: string; readonly of: string }>();

export interface Keyed<Item> {
  keyOf(item: Item): string;
  make(item: Item): HTMLElement;
}

/**
 * Bring the children of an element in line with a list. What did not change stays the same element, with its focus, its
 * scroll and what is open in it.
 */
export function keyed<Item>(parent: Element, items: readonly Item[], { keyOf, make }: Keyed<Item>): void {
  const there = new Map([...parent.children].map((child) => [MADE_OF.get(child)?.key ?? '', child]));
  const wanted = items.map((item) => {
    const [key, of] = [keyOf(item), JSON.stringify(item)];
    const known = there.get(key);
    if (known && MADE_OF.get(known)?.of === of) return known;
    const element = make(item);
    MADE_OF.set(element, { key, of });
    return element;
  });
  const kept = new Set<Element>(wanted);
  for (const child of [...parent.children]) if (!kept.has(child)) child.remove();
  for (const [at, element] of wanted.entries())
    if (parent.children[at] !== element) parent.insertBefore(element, parent.children[at] ?? null);
}

const SVG = 'http://www.w3.org/2000/svg';

/** Drawn with lines in the colour of the text around; says nothing to a screen reader. */
export function icon(name: keyof typeof ICONS): SVGSVGElement {
  const svg = document.createElementNS(SVG, 'svg');
  const attributes = { viewBox: '0 0 24 24', class: 'icon', 'aria-hidden': 'true' };
  for (const [attribute, value] of Object.entries(attributes)) svg.setAttribute(attribute, value);
  const path = svg.appendChild(document.createElementNS(SVG, 'path'));
  path.setAttribute('d', ICONS[name]);
  return svg;
}

const ICONS = {
  today: 'M12 3v2M12 19v2M3 12h2M19 12h2M6 6l1 1M17 17l1 1M18 6l-1 1M7 17l-1 1M16 12a4 4 0 1 1-8 0 4 4 0 0 1 8 0Z',
  chat: 'M4 5h16v11H9l-5 4Z',
  schedule: 'M4 6h16v14H4ZM4 10h16M8 3v4M16 3v4',
  documents: 'M6 3h8l4 4v14H6ZM14 3v4h4M9 12h6M9 16h6',
  memory: 'M12 20S4 15 4 9a4 4 0 0 1 8-1 4 4 0 0 1 8 1c0 6-8 11-8 11Z',
  devices: 'M3 5h13v10H3ZM7 19h5M18 9h3v10h-5v-4',
  settings: 'M4 7h10M18 7h2M4 17h2M10 17h10M16 5v4M8 15v4',
  more: 'M5 12h.01M12 12h.01M19 12h.01',
  send: 'M12 19V5M6 11l6-6 6 6',
  stop: 'M7 7h10v10H7Z',
  attach: 'M20 11l-8.5 8.5a5 5 0 0 1-7-7L13 4a3.4 3.4 0 0 1 4.8 4.8l-8.4 8.4a1.7 1.7 0 0 1-2.4-2.4L14.500 7.300',
  search: 'M15.500 15.500 21 21M17 10.500a6.500 6.500 0 1 1-13 0 6.500 6.500 0 0 1 13 0Z',
  history: 'M4 6h16M4 12h16M4 18h10',
  plus: 'M12 5v14M5 12h14',
  check: 'M5 12.500 10 17.500 19 7',
  close: 'M6 6l12 12M18 6 6 18',
  trash: 'M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13M10 11v5M14 11v5',
  copy: 'M9 9h11v11H9ZM5 15H4V4h11v1',
  upload: 'M12 16V4M7 9l5-5 5 5M4 20h16',
} as const;
