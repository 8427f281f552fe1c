import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { container } from '../../src/device/container/container.ts';
import { deviceProfilingRule } from '../../src/host/device-profiling-rule/device-profiling-rule.ts';
import { aaaServer } from '../../src/integration/aaa-server/aaa-server.ts';
import { literal, quoted } from '../../src/kernel/declare/names.ts';
import { adminProfile } from '../../src/user/admin-profile/admin-profile.ts';
import { Client, type Reply } from '../world/client.ts';
import { world } from '../world/world.ts';
import { runScript } from './schema-drift.ts';

describe('injection', async () => {
  const testWorld = await world();
  const { admin, database, service } = testWorld;
  const { pool } = service.runtime;
  const file = join(tmpdir(), `portreeve-injected-${randomUUID()}`);

  const sqlCorpus = [
    `'`,
    `''`,
    `"`,
    `\\'`,
    `'; drop table canary; --`,
    `"; drop table canary; --`,
    `1; delete from canary`,
    `1) or 1=1 --`,
    `' or '1'='1`,
    `x' union select token from canary --`,
    `$1`,
    `$$; drop table canary; $$`,
    `1 or pg_sleep(30)`,
    `'||pg_sleep(30)||'`,
    `(select case when true then pg_sleep(30) end)`,
    `name asc, (select pg_sleep(30))`,
    `name; drop table canary`,
    `name" desc; drop table canary; --`,
    `E'\\x27'; drop table canary; --`,
    `%27%3b drop table canary`,
    `\u02bc; drop table canary; --`,
    `/**/or/**/true`,
    `\0'; drop table canary; --`,
  ];

  test('no SQL of a caller runs, by filter, sort, position, id, header or body', async () => {
    await runScript(
      database,
      `create table canary (token text); insert into canary values ('alive'); grant all on canary to portreeve_service`,
    );
    const watcher = new pg.Client({ connectionString: database.serviceUrl });
    await watcher.connect();
    const list = container.path!;
    const words = encodeURIComponent;
    const ids = await admin.create(container, { name: 'there' });
    const everywhere = (text: string): Promise<Reply[]> => {
      const position = Buffer.from(JSON.stringify([text, text])).toString('base64url');
      const inHeader = text.replaceAll(/[^\x20-\x7e]/g, '');
      return Promise.all([
        admin.get(`${list}?filter=${words(`name==${text}`)}`),
        admin.get(`${list}?filter=${words(`name=="${text.replaceAll(/["\\]/g, '\\$&')}"`)}`),
        admin.get(`${list}?filter=${words(`id=in=(${text})`)}`),
        admin.get(`${list}?filter=${words(`${text}==1`)}`),
        admin.get(`${list}?filter=${words(`attribute.${text}==1`)}`),
        admin.get(`${list}?sortKey=${words(text)}`),
        admin.get(`${list}?sortKey=name&sortDir=${words(text)}`),
        admin.get(`${list}?after=${words(text)}`),
        admin.get(`${list}?after=${position}`),
        admin.get(`${list}?start=${words(text)}`),
        admin.get(`${list}?count=${words(text)}`),
        admin.get(`${list}?${words(text)}=1`),
        admin.get(`${list}/${words(text)}`),
        admin.get(`${list}/${ids}${words(text)}`),
        admin.get(`/logging/audit?filter=${words(`user==${text}`)}`),
        admin.post(`${list}/delete`, { id: [text] }),
        admin.post(`${list}/monitor/start`, { filter: [`name==${text}`] }),
        admin.post(`${deviceProfilingRule.path}/swap-rule-ranks`, { id: [text, 1] }),
        admin.get(list, {
          'if-match': inHeader,
          'user-agent': inHeader,
          'x-forwarded-for': inHeader,
          'x-request-id': inHeader,
        }),
        admin.post(list, { name: `by header ${text}`.replaceAll('\0', '') }, { 'idempotency-key': inHeader || 'x' }),
        admin.post(`${list}/${ids}`, { name: 'there' }, { 'if-match': inHeader }),
        new Client(service.app, '').get(list, {
          authorization: `Bearer ${inHeader}`,
          cookie: `__Host-session=${inHeader}`,
        }),
        admin.get(`/auth/admins?filter=${words(`userID==${text}`)}`),
        admin.get(`/auth/admins/${words(text)}`),
        admin.post('/auth/admins?dryRun=true', {
          userID: `a${text}`.slice(0, 100),
          adminProfileDBID: 2,
          firstName: text,
        }),
        admin.post(`/auth/admins/${words(text)}/reset-password`, { password: `long enough ${text}` }),
        new Client(service.app, '').post('/auth/login', { userID: text.slice(0, 100), password: text }),
      ]);
    };
    /**
     * Sends requests and returns the statements that slept in the database meanwhile. The time limit of reads ends such
     * a statement long before thirty seconds.
     */
    const watched = async (pendingReplies: Promise<Reply[]>): Promise<{ replies: Reply[]; slept: string[] }> => {
      const slept: string[] = [];
      let isOver = false;
      const answered = pendingReplies.finally(() => {
        isOver = true;
      });
      for (; !isOver; await Promise.race([answered, sleep(50)])) {
        const { rows } = await watcher.query<{ query: string }>(
          `select query from pg_stat_activity where wait_event = 'PgSleep' and datname = current_database()`,
        );
        slept.push(...rows.map(({ query }) => query));
      }
      return { replies: await answered, slept };
    };
    // The check detects a statement that sleeps.
    const asleep = pool.query('select pg_sleep(0.5)').then(() => [] as Reply[]);
    expect((await watched(asleep)).slept).toContain('select pg_sleep(0.5)');
    // Harmless text is accepted where text is allowed, so the corpus is not refused for another reason.
    const harmless = (await everywhere('1')).map(({ code }) => code);
    expect(harmless.filter((code) => code < 300).length).toBeGreaterThanOrEqual(9);
    expect(harmless.every((code) => code < 500)).toBe(true);
    for (const text of sqlCorpus) {
      const { replies, slept } = await watched(everywhere(text));
      expect(slept, `${text} made a statement sleep`).toEqual([]);
      for (const [index, { code, text: answer }] of replies.entries())
        expect(code, `${text} in place ${index}: ${answer}`).toBeLessThan(500);
      expect(replies.map((reply) => reply.text).join()).not.toContain('alive');
      await pool.query('delete from monitor');
      await pool.query('delete from login_failure');
    }
    await watcher.end();
    expect((await pool.query('select token from canary')).rows).toEqual([{ token: 'alive' }]);
  });

  test('text that looks like SQL is stored and found unchanged', async () => {
    for (const name of sqlCorpus.filter((text) => !text.includes('\0'))) {
      const id = await admin.create(container, { name });
      expect((await admin.fetch(container, id)).name).toBe(name);
      const filter = encodeURIComponent(`name=="${name.replaceAll(/["\\*]/g, '\\$&')}"`);
      const { body } = await admin.get(`${container.path}?filter=${filter}`);
      expect(
        body.results?.map((record) => record.id),
        name,
      ).toEqual([id]);
    }
  });

  test('a quoted identifier or literal is read by PostgreSQL as the original text', async () => {
    const word = fc
      .string({ unit: 'binary', minLength: 1, maxLength: 15 })
      .filter((text) => text.isWellFormed() && !text.includes('\0'));
    await fc.assert(
      fc.asyncProperty(word, async (text) => {
        const { fields, rows } = await pool.query(`select ${literal(text)} as ${quoted(text)}`);
        expect(fields.map(({ name }) => name)).toEqual([text]);
        expect(Object.values(rows[0])).toEqual([text]);
      }),
      // Random texts contain quotes too seldom.
      { numRuns: 100, examples: [['"'], ["'"], ['a"b'], ["a'b"], ["\\'"], ['"; select "']] },
    );
  });

  test('no text becomes a command, an option or the name of a file', async () => {
    const commands = [
      `; touch ${file}`,
      `$(touch ${file})`,
      `\`touch ${file}\``,
      `| touch ${file}`,
      `-oProxyCommand=touch ${file}`,
      `--output=${file}`,
      `@${file}`,
      `\n touch ${file}`,
    ];
    for (const [index, text] of commands.entries()) {
      const server = {
        name: text.trim(),
        netId: text,
        authPort: 1_000 + index,
        secret: 'hush-hush',
        checkUser: text,
        checkPassword: text,
      };
      for (const reply of [
        await admin.post(aaaServer.path!, server),
        await admin.post(`${aaaServer.path}/validate`, server),
        await admin.post(container.path!, { name: `c ${text}` }),
        await admin.get(`/icons/${encodeURIComponent(text)}.svg`),
      ])
        expect(reply.code, `${text}: ${reply.text}`).toBeLessThan(500);
    }
    const { body } = await admin.get(aaaServer.path!);
    for (const { id } of body.results!)
      expect((await admin.get(`${aaaServer.path}/validate/${id}`)).code).toBeLessThan(500);
    expect(existsSync(file)).toBe(false);
  });

  test('no path leads out of the served files', async () => {
    const up = ['../', '..%2f', '%2e%2e/', '%2e%2e%2f', '..%5c', '%252e%252e%252f', '....//', '..;/'];
    const targets = ['etc/passwd', 'package.json', 'server/package.json'];
    for (const root of ['/icons/', '/icons/device-type/', '/docs/', '/api/v2/', '/api/v2/schema.xsd?operation=', '/']) {
      for (const step of up) {
        for (const target of targets) {
          for (const end of ['', '%00.svg', '.svg']) {
            const reply = await service.app.inject({ method: 'GET', url: `${root}${step.repeat(6)}${target}${end}` });
            expect([400, 401, 404], `${root}${step} ${reply.statusCode}`).toContain(reply.statusCode);
            expect(reply.body).not.toMatch(/root:x:|"workspaces"|"dependencies"/);
          }
        }
      }
    }
  });

  test('an XML entity, an XML bomb and a compressed body are refused before they are expanded', async () => {
    const xml = { 'content-type': 'application/xml' };
    const entity = `<!DOCTYPE request [<!ENTITY x SYSTEM "file:///etc/passwd">]><request><name>&x;</name></request>`;
    const laughs = `<!DOCTYPE r [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]><request><name>&b;</name></request>`;
    for (const body of [entity, laughs]) {
      const reply = await admin.call('POST', container.path!, body, xml);
      expect(reply.code).toBe(400);
      expect(reply.text).not.toContain('root:');
    }
    const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
    expect((await admin.call('POST', container.path!, deep)).code).toBe(400);
    expect((await admin.call('POST', container.path!, '<a>'.repeat(50_000), xml)).code).toBe(400);
    // A megabyte that would expand to a gigabyte is not unpacked at all.
    const packed = await service.app.inject({
      method: 'POST',
      url: `/api/v2${container.path}`,
      headers: {
        authorization: `Bearer ${admin.token}`,
        'content-type': 'application/json',
        'content-encoding': 'gzip',
      },
      payload: gzipSync(Buffer.alloc(64 * 1_048_576, 32)),
    });
    expect([400, 415]).toContain(packed.statusCode);
  });

  test('the keys of prototypes are data or refused, in bodies, maps, queries, filters and XML', async () => {
    const keys = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', '__defineGetter__'];
    for (const key of keys) {
      const refused: [string, Promise<Reply>][] = [
        ['body', admin.call('POST', container.path!, `{"name": "p", "${key}": {"polluted": true}}`)],
        [
          'nested',
          admin.call(
            'POST',
            container.path!,
            `{"name": "p", "attribute": [{"name": "a", "value": "b", "${key}": {}}]}`,
          ),
        ],
        ['account', admin.call('POST', '/auth/admins', `{"userID": "p", "adminProfileDBID": 2, "${key}": {}}`)],
        ['filter of accounts', admin.get(`/auth/admins?filter=${key}==1`)],
        ['keys of a map', admin.call('POST', '/auth/tokens', `{"name": "p", "scopes": {"${key}": ["view"]}}`)],
        [
          'permissions',
          admin.call('POST', adminProfile.path!, `{"name": "p", "permissions": {"${key}": {"view": true}}}`),
        ],
        ['query', admin.get(`${container.path}?${key}=1`)],
        ['nested query', admin.get(`${container.path}?${key}[polluted]=1`)],
        ['filter', admin.get(`${container.path}?filter=${key}==1`)],
        ['path of a filter', admin.get(`${container.path}?filter=name.${key}==1`)],
        ['sort', admin.get(`${container.path}?sortKey=${key}`)],
        [
          'XML',
          admin.call('POST', container.path!, `<request><name>p</name><${key}>1</${key}></request>`, {
            'content-type': 'application/xml',
          }),
        ],
      ];
      for (const [place, pendingReply] of refused) {
        const { code, text } = await pendingReply;
        expect(code, `${key} in ${place}: ${text}`).toBe(400);
      }
      expect((await admin.get(`/${key}`)).code).toBe(404);
      expect((await admin.get(`/docs/${key}`)).code).toBe(404);
      const attributes = `{"guests": {"view": true, "attributes": {"${key}": "ALL"}}}`;
      const reply = await admin.call('POST', adminProfile.path!, `{"name": "p ${key}", "permissions": ${attributes}}`);
      expect([201, 400, 422], reply.text).toContain(reply.code);
      if (reply.code === 201) {
        const fetched = await admin.get(String(reply.headers.location));
        expect(fetched.code, fetched.text).toBe(200);
      }
    }
    expect(Object.keys(Object.prototype)).toEqual([]);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  test('markup in names is returned as text everywhere', async () => {
    const markup = `<script>alert(1)</script><img src=x onerror=alert(2)>"'&]]>`;
    await admin.create(container, { name: markup });
    const json = await admin.get(container.path!);
    expect(json.headers).toMatchObject({ 'x-content-type-options': 'nosniff' });
    expect(json.headers['content-type']).toContain('application/json');
    const xml = await admin.get(container.path!, { 'content-type': 'application/xml' });
    expect(xml.headers).toMatchObject({ 'x-content-type-options': 'nosniff' });
    expect(xml.text).toContain('&lt;script');
    expect(xml.text).not.toMatch(/<script|<img/);
    // Error messages quote the request, and are not HTML pages either.
    for (const path of [
      `${container.path}?filter=${encodeURIComponent(markup)}`,
      `${container.path}?${encodeURIComponent(markup)}=1`,
      `/${encodeURIComponent(markup)}`,
    ]) {
      const reply = await admin.get(path);
      expect(reply.code).toBeGreaterThanOrEqual(400);
      expect(reply.headers).toMatchObject({ 'x-content-type-options': 'nosniff' });
      expect(reply.headers['content-type']).toContain('application/json');
    }
    for (const page of ['/docs', '/docs/container']) expect((await admin.get(page)).text).not.toContain('alert(1)');
  });
});
