import { list } from './api.ts';
import { h } from './dom.ts';
import { session } from './session.ts';
import { t } from './words.ts';

interface SeenPlace {
  readonly page: number;
  /** Left, top, right and bottom, as shares of the picture. */
  readonly boxes: readonly (readonly [number, number, number, number])[];
}

/** The picture that a document was read from, with the cited lines marked; undefined for all other documents. */
export async function drawPicture(file: string, where: string): Promise<HTMLElement | undefined> {
  const asked = { name: file, project: session.project };
  const [place] = await list<SeenPlace>(`/api/documents/seen?${new URLSearchParams({ ...asked, where })}`);
  if (place === undefined) return undefined;
  const src = `/api/documents/picture?${new URLSearchParams({ ...asked, page: String(place.page) })}`;
  const marks = place.boxes.map((box) => drawMark(box));
  const picture = h('img', { src, alt: `${t('picture')}: ${file}` });
  picture.addEventListener('load', () => marks[0]?.scrollIntoView({ block: 'center' }));
  picture.addEventListener('error', () => frame.remove());
  const frame = h('figure', { class: 'photo' }, picture, marks);
  return frame;
}

/** Styles that a script sets one by one are allowed, unlike those that stand in the markup. */
function drawMark([left, top, right, bottom]: SeenPlace['boxes'][number]): HTMLElement {
  const mark = h('mark', { 'aria-hidden': 'true' });
  const percent = (share: number) => `${share * 100}%`;
  mark.style.left = percent(left);
  mark.style.top = percent(top);
  mark.style.width = percent(right - left);
  mark.style.height = percent(bottom - top);
  return mark;
}
