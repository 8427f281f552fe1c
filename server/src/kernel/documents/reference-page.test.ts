import { describe, expect, test } from 'vitest';
import { overlayGroups } from '../../../test/overlay/catalogue.ts';
import { teaMachine } from '../../../test/overlay/tea-machine.ts';
import { world } from '../../../test/world/world.ts';
import { catalogue } from '../../catalogue.ts';
import type { Context } from '../../context.ts';
import { describeOperations } from '../../node/describe-operations.ts';
import { modelFor } from '../../node/start-service.ts';
import { collection, deletes } from '../declare/declaration.ts';
import { choice, identity, text } from '../declare/field.ts';
import type { Operation } from '../declare/operation.ts';
import { type Resource, resource } from '../operations/resource.ts';
import { atOnce } from '../values/loop-share.ts';
import { html, prose } from './html.ts';
import { meanings, openApiDocument } from './openapi.ts';
import { Reference } from './reference-page.ts';

const version = '0.0.0';

const referenceOf = (groups: readonly Resource<Context>[]): Reference =>
  new Reference(openApiDocument(describeOperations(groups), modelFor(groups), { version }), groups, meanings);

const slugsOf = (operations: readonly Operation[]): string[] => [
  ...new Set(operations.map((each) => each.group.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-'))),
];

/** The sections of the operations on a page, by their ids. */
const sectionsOf = (page: string): [operationId: string, section: string][] =>
  [...page.matchAll(/<section class="operation" id="([^"]+)">(.*?)<\/section>/gs)].map(([, id, section]) => [
    id!,
    section!,
  ]);

const rightOf = ({ access }: Operation): string => {
  if (access.kind === 'open') return 'Open to everybody.';
  if (access.kind === 'signed-in') return 'Open to every signed-in caller.';
  return `<code>${access.key}</code>`;
};

describe('the reference of a running service', async () => {
  const { service } = await world();
  const pageOf = async (path: string) => {
    const { statusCode, body, headers } = await service.app.inject({ method: 'GET', url: path });
    return { code: statusCode, text: body, headers };
  };

  test('has every operation exactly once, with its permission', async () => {
    const pages = await Promise.all(slugsOf(service.operations).map((slug) => pageOf(`/docs/${slug}`)));
    const sections = pages.flatMap(({ text: page }) => sectionsOf(page));
    expect(sections.map(([id]) => id).sort()).toEqual(service.operations.map((each) => each.operationId).sort());
    const written = new Map(sections);
    for (const operation of service.operations) {
      const section = written.get(operation.operationId)!;
      expect(section, operation.operationId).toContain(rightOf(operation));
      expect(section.replaceAll('<wbr>', '')).toContain(`<code>${operation.path}</code>`);
    }
  });

  test('lists every operation once in its index, in less than 300 kB', async () => {
    const { code, text: page } = await pageOf('/docs');
    expect(code).toBe(200);
    expect(Buffer.byteLength(page)).toBeLessThan(300_000);
    for (const { operationId } of service.operations)
      expect(page.split(`#${operationId}"`), operationId).toHaveLength(2);
  });

  test('is served to everybody, under a policy that lets nothing of others in', async () => {
    for (const path of ['/docs', '/docs/container']) {
      const { code, headers, text: page } = await pageOf(path);
      expect([code, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
      const policy = String(headers['content-security-policy']).split('; ');
      expect(policy).toEqual(
        expect.arrayContaining([
          "default-src 'none'",
          "style-src 'self'",
          "script-src 'self'",
          "frame-ancestors 'none'",
        ]),
      );
      expect(String(headers['content-security-policy'])).not.toContain('unsafe');
      expect(page).not.toMatch(/<style|<script(?! src="\/docs\/reference\.js" defer><\/script>)|\sstyle=|\son\w+=/);
    }
  });

  test('brings its own style and script', async () => {
    const style = await pageOf('/docs/reference.css');
    const script = await pageOf('/docs/reference.js');
    expect([style.code, style.headers['content-type']]).toEqual([200, 'text/css; charset=utf-8']);
    expect([script.code, script.headers['content-type']]).toEqual([200, 'text/javascript; charset=utf-8']);
    expect(style.text + script.text).not.toMatch(/https?:\/\//);
  });

  test('its examples take address and token from the names that the command line reads', async () => {
    const { text: page } = await pageOf('/docs/container');
    expect(page).toContain('$PORTREEVE_URL/api/v2/device/container');
    expect(page).toContain('Authorization: Bearer $PORTREEVE_TOKEN');
    expect(page).not.toMatch(/\$(PORTREEVE|TOKEN)\b/);
  });

  test('says that there is no such group', async () => {
    const { code, text: answer } = await pageOf('/docs/no-such-group');
    expect([code, JSON.parse(answer)]).toEqual([
      404,
      {
        status: 'not-found',
        errorMessage: 'There is no group no-such-group in the reference; see /docs for all groups.',
      },
    ]);
  });

  test('takes no parameters and no other methods than GET and HEAD', async () => {
    expect((await pageOf('/docs?group=container')).code).toBe(400);
    const posted = await service.app.inject({ method: 'POST', url: '/docs/container' });
    expect([posted.statusCode, posted.headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS']);
    const asked = await service.app.inject({ method: 'HEAD', url: '/docs' });
    const read = await pageOf('/docs');
    expect([asked.statusCode, asked.body]).toEqual([200, '']);
    expect(asked.headers['content-length']).toBe(String(Buffer.byteLength(read.text)));
    expect(asked.headers.etag).toBe(read.headers.etag);
  });

  test('is where / leads a browser; a program gets a list of places, each of which is there', async () => {
    const open = (accept?: string) =>
      service.app.inject({ method: 'GET', url: '/', headers: accept ? { accept } : {} });
    const browser = await open('text/html,application/xhtml+xml,*/*;q=0.8');
    expect([browser.statusCode, browser.headers.location, browser.headers.vary]).toEqual([303, '/docs', 'accept']);
    for (const accept of [undefined, '*/*', 'application/json']) {
      const { statusCode, headers, body } = await open(accept);
      expect([statusCode, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
      const places: Record<string, string> = JSON.parse(body);
      expect(Object.keys(places)).toEqual(['api', 'docs', 'openapi', 'schema', 'live', 'ready']);
      for (const path of Object.values(places)) expect((await pageOf(path)).code, path).toBe(200);
    }
  });

  test('and the same places are listed at /api/v2, in JSON and XML, without a token', async () => {
    const { code, text: listed } = await pageOf('/api/v2');
    expect(code).toBe(200);
    expect(JSON.parse(listed)).toMatchObject({
      status: 'success',
      results: [{ name: 'api', path: '/api/v2' }, { name: 'docs', path: '/docs' }, {}, {}, {}, {}],
    });
    const xml = await service.app.inject({ url: '/api/v2', headers: { accept: 'application/xml' } });
    expect(xml.body).toContain('<item><name>docs</name><path>/docs</path>');
  });

  test('its search knows fields and texts: "vlan" finds what sets VLANs', async () => {
    const { texts, places } = JSON.parse((await pageOf('/docs/search.json')).text) as {
      texts: string[];
      places: Record<string, number[]>;
    };
    const index = (await pageOf('/docs')).text;
    for (const place of Object.keys(places)) expect(index).toContain(`href="${place}"`);
    const found = Object.keys(places).filter((place) => places[place]!.some((at) => /vlan/i.test(texts[at]!)));
    expect(found).toEqual(expect.arrayContaining(['/docs/port#port.properties', '/docs/port#record-port']));
    expect(found.length).toBeLessThan(Object.keys(places).length / 2);
  });

  test('an operation can be tried from its page, a write without changing anything; files cannot', async () => {
    const sections = new Map(sectionsOf((await pageOf('/docs/container')).text));
    const create = sections.get('container.create')!;
    expect(create).toContain('<form class="try" data-method="POST" data-path="/api/v2/device/container"');
    expect(create).toContain('<input type="checkbox" name="query.dryRun" checked>');
    expect(create).toContain('<input type="password" name="token" autocomplete="off" required>');
    expect(create).toMatch(/<textarea name="body"[^>]*>\{[^<]*Building A/);
    expect(sections.get('container.fetch')).toContain('name="path.id" value="1"');
    const hosts = new Map(sectionsOf((await pageOf('/docs/host-record')).text));
    expect(hosts.get('host.import-hosts')).not.toContain('<form');
  });

  test('a page of the handbook that is not there is 404', async () => {
    expect((await pageOf('/docs/handbook/no-such-page')).code).toBe(404);
    expect((await pageOf('/docs/handbook/..%2f..%2fpackage.json')).code).toBe(404);
    expect((await pageOf('/docs/handbook/filters')).text).toContain('<h1>');
  });

  test('links only to what is there', async () => {
    const contents = (await pageOf('/docs/handbook')).text;
    const chapters = [...contents.matchAll(/href="(\/docs\/handbook\/[^"]+)"/g)].map(([, href]) => href!);
    expect(chapters.length).toBeGreaterThan(10);
    const groups = slugsOf(service.operations).map((slug) => `/docs/${slug}`);
    const paths = ['/docs', '/docs/handbook', ...chapters, ...groups];
    const pages = new Map(await Promise.all(paths.map(async (path) => [path, (await pageOf(path)).text] as const)));
    for (const [path, page] of pages) {
      for (const [, href] of page.matchAll(/href="((?:\/docs|#)[^"]*)"/g)) {
        const [target = '', id] = href!.split('#');
        const there = target === '/docs/reference.css' ? '' : pages.get(target || path);
        expect(there, `${path} links to ${href}`).toBeDefined();
        if (id) expect(there, `${path} links to ${href}`).toContain(`id="${id}"`);
      }
    }
  });
});

describe('a page of the reference', () => {
  const hostile = `</td><script>alert("1")</script><img src=x onerror='alert(2)'> \`<b>\``;
  const trap = collection({
    name: 'trap',
    title: 'Trap <i>',
    path: '/settings/trap',
    permission: 'system-settings',
    doc: `Records of ${hostile}`,
    patterns: ['list', 'create', ...deletes],
    example: { name: hostile },
    fields: {
      id: identity(),
      name: text({ min: 1, max: 200, doc: hostile }),
      kind: choice(['<u>', '"'], { default: '<u>', doc: 'Kind.' }),
    },
  });

  test('escapes whatever a declaration says', () => {
    const reference = referenceOf([...catalogue, resource('Trap', trap)]);
    for (const page of [atOnce(reference.group('trap')), reference.index()]) {
      expect(page).not.toMatch(/<script>|<img|<i>|<u>|<b>/);
      expect(page).toContain('Trap &lt;i&gt;');
    }
    expect(atOnce(reference.group('trap'))).toContain('&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;');
    expect(atOnce(reference.group('trap'))).toContain('<code>&lt;b&gt;</code>');
  });

  test('tells who sets a field, how large it may be and what it is', () => {
    const page = atOnce(referenceOf([...catalogue, ...overlayGroups]).group('tea-machine')).replaceAll('<wbr>', '');
    const row = (name: string) =>
      new RegExp(`<th scope="row"><code>${name}</code></th>(.*?)</tr>`, 's')
        .exec(page)![1]!
        .split('</td>')
        .map((cell) => cell.replaceAll(/<[^>]*>/g, ''));
    expect(row('name')).toEqual(['text', '1…60 characters', 'required, unique', '', '']);
    expect(row('cupsMax')).toEqual(['integer', '1…100', 'default 8', 'Cups before it wants water.', '']);
    expect(row('strength')).toEqual(['choice', 'MILD, STRONG', 'default MILD', '', '']);
    expect(row('version')[2]).toBe('read-only (kept)');
    expect(row('pin').slice(2, 4)).toEqual([
      'write-only',
      'What its keypad wants. Required again when one of these changes: place.',
    ]);
    expect(row('place')[3]).toBe('Where it stands. Names a Container.');
    expect(page).toContain(teaMachine.doc);
  });

  test('keeps its index below 300 kB when the whole contract is served', () => {
    const operations = describeOperations(catalogue);
    const many = Array.from({ length: 1_030 }, (_, index) => {
      const operation = operations[index % operations.length]!;
      const copy = Math.floor(index / operations.length);
      return {
        ...operation,
        group: `${operation.group} ${copy}`,
        operationId: `${operation.operationId}-${copy}`,
        path: `${operation.path}/copy-${copy}`,
      };
    });
    const index = new Reference(openApiDocument(many, modelFor(catalogue), { version }), [], meanings).index();
    expect(index.split('<li><a href="/docs/')).toHaveLength(1_031);
    expect(Buffer.byteLength(index)).toBeLessThan(300_000);
  });
});

test('markup is written only by the template', () => {
  expect(html`<p title="${'"&\''}">${['<', html`<br>`]}${undefined}${false}${0}</p>`.text).toBe(
    '<p title="&quot;&amp;&#39;">&lt;<br>0</p>',
  );
  expect(prose('a `b<` c').text).toBe('a <code>b&lt;</code> c');
  expect(prose('one ` alone').text).toBe('one ` alone');
});
