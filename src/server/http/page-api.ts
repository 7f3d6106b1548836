import { Hono } from 'hono';
import { z } from 'zod';
import { version } from '../../base/version.ts';
import { describeApproval } from '../../tools/gate/approval-text.ts';
import { type ApiParts, readBody } from './api.ts';
import { tickBody } from './bodies.ts';
import { documentPictures } from './document-pictures.ts';
import { type Entered, mayEnter } from './entry.ts';
import { ownLists, tickItems } from './own-lists.ts';
import { Pages } from './page-stream.ts';
import { toldConversation } from './past-turns.ts';
import { Refused } from './problem.ts';

const shownBody = z.strictObject({ name: z.string().max(60) });

/** What the page asks besides turns, lists and commands. */
export function pageApi(parts: ApiParts): Hono<Entered> {
  const { app, hub, entry, place } = parts;
  const { projects, documents } = app.knowledge;
  const pages = new Pages(app, hub, entry.devices);
  const [read, page] = [mayEnter('read', entry), mayEnter('page', entry)];
  const named = (project: string | undefined) => {
    if (project !== undefined) projects.check(project);
    return project ?? place.project;
  };
  return new Hono<Entered>()
    .get('/page/events', page, (c) => pages.stream(c, c.get('device')))
    .post('/page/shown', page, async (c) => {
      pages.shown((await readBody(c.req.raw, shownBody)).name);
      return c.json({ ok: true });
    })
    .post('/page/active', page, (c) => {
      pages.active(c.get('device'));
      return c.json({ ok: true });
    })
    .get('/page/home', page, (c) => {
      const { timeZone, id } = app.home;
      return c.json({ id, timeZone, ...place, projects: projects.list(), version: version() });
    })
    .get('/conversations/:id', read, async (c) =>
      c.json(await toldConversation(app.turns.archive, hub, c.req.param('id'))),
    )
    .get('/proposals', read, async (c) => {
      const waiting = (await app.tools.proposals.list()).filter(({ state }) => state === 'waiting');
      const proposed = waiting.map((each) => {
        const { id, tool, createdAt, expiresAt, conversationId, turnId } = each;
        const text = describeApproval({ ...each, destination: each.target });
        return { id, tool, text, createdAt, expiresAt, conversationId, turnId };
      });
      // A turn that waits for a decision now has no proposal yet.
      const asked = hub.questions.map((each) => ({ id: each.id, tool: each.tool, text: describeApproval(each) }));
      return c.json({ items: [...asked, ...proposed] });
    })
    .get('/lists', read, async (c) => c.json({ items: await ownLists(projects.folder(named(c.req.query('project')))) }))
    .post('/lists/:name', mayEnter('api', entry), async (c) => {
      const project = named(c.req.query('project'));
      const change = { list: c.req.param('name'), ...(await readBody(c.req.raw, tickBody)) };
      await tickItems(app, { project, mode: place.mode, signal: c.req.raw.signal }, change);
      return c.json({ items: await ownLists(projects.folder(project)) });
    })
    .route('/documents', documentPictures({ documents, read, named }))
    .get('/documents/text', read, async (c) => {
      const texts = await documents.texts(named(c.req.query('project')), c.req.query('name') ?? '');
      if (texts.length === 0) throw new Refused(404, 'no_document', 'There is no such document.');
      return c.json({ items: texts.map(({ file, text }) => ({ file, text })) });
    });
}
