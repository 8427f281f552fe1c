import { networkDevice } from '@portreeve/server/device/network-device/network-device.ts';
import { host } from '@portreeve/server/host/host/host.ts';
import { role } from '@portreeve/server/policy/role/role.ts';
import { modelSwitches } from '@portreeve/server/test/trials/modelled-switches.ts';
import { Stage } from '@portreeve/server/test/world/example-fixtures.ts';
import type { World } from '@portreeve/server/test/world/open-world.ts';
import { type RadiusWorld, radiusWorld } from '@portreeve/server/test/world/radius-world.ts';
import { expect, onTestFinished, test } from 'vitest';
import { browserSessionIn, signIn } from './browser.ts';

/** Input of attackers. */
const markup = [
  '<script>window.harmed=1</script>',
  '<img src=x onerror="window.harmed=1">',
  '<svg onload=window.harmed=1>',
  '"><iframe src="javascript:window.harmed=1">',
  "'-window.harmed=1-'",
  '</title><style>*{display:none}</style>',
  '<a href="javascript:window.harmed=1">here</a>',
  'javascript:window.harmed=1',
  'data:text/html,<script>window.harmed=1</script>',
  '<link rel=stylesheet href=//192.0.2.1/x.css>',
  '<img src=//192.0.2.1/x.png>',
  '<meta http-equiv=refresh content="0;url=//192.0.2.1/">',
  '<math><mtext><option><FAKEFAKE><option></option><mglyph><svg><mtext><style><a title="</style><img src=x onerror=1>">',
  '{{constructor.constructor("window.harmed=1")()}}',
  `${'$'}{window.harmed=1}`,
  '&lt;script&gt;window.harmed=1&lt;/script&gt;',
  '<!--<script>-->',
  ']]><x xmlns="y">',
  '__proto__',
  'constructor',
];
const bidi = ['\u202E', '\u202D', '\u202A', '\u202B', '\u2066', '\u2067', '\u2068', '\u200F', '\u200E', '\u061C'].map(
  (sign, index) => `invoice-${index}${sign}gpj.exe`,
);
const unseen = ['\u200B', '\uFEFF', '\u2028', '\u2029', '\u2060', '\u00AD', '\u180E', '\u3164', '\u034F', '\u2800'].map(
  (sign, index) => `ad${sign}min-${index}`,
);
const formulas = ['=1+1', '+cmd|" /C calc"!A0', '-2+3', '@SUM(1)', '=HYPERLINK("//192.0.2.1","x")'];
const long = ['x'.repeat(255), 'long '.repeat(50), 'é'.repeat(120), '\u{1F469}'.repeat(60), 'W'.repeat(250)];
const otherNames = [
  "'; drop table host; --",
  '$(reboot)',
  '../../etc/passwd',
  'name==*;(a,b)',
  '%00%0d%0aSet-Cookie:x',
  'null',
  'undefined',
  '[object Object]',
  'NaN',
  '0',
];
const hostile = [...markup, ...bidi, ...unseen, ...formulas, ...long, ...otherNames];

/** Invisible characters, and those that change the text direction. */
const unmarked = /(?!\u200c|\u200d|\n|\t)(?:[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u2800\u3164]|\u034f)/u;

/** Cuts a text to the bytes that a packet or SNMP value can contain, without replacement characters. */
const cutTo = (text: string, bytes: number): string =>
  new TextDecoder().decode(Buffer.from(text).subarray(0, bytes)).replace(/\uFFFD$/, '');

/** Polls a switch with hostile names of ports and neighbours; returns the number of stored labels. */
async function plantBySwitch(world: World): Promise<number> {
  const address = '127.0.97.1';
  const switches = await modelSwitches(world, [
    {
      address,
      sysName: markup[1]!,
      ports: hostile.length + 4,
      aliases: hostile.map((text) => cutTo(text, 64)),
      neighbours: hostile.map((text, index) => ({
        port: index + 1,
        sysName: cutTo(text, 255),
        chassis: `02:61:00:00:00:${index.toString(16).padStart(2, '0')}`,
        portId: cutTo(text, 64),
        managementAddress: `127.0.97.${100 + index}`,
      })),
    },
  ]);
  onTestFinished(() => switches.stop());
  const { rows } = await world.service.runtime.pool.query<{ stored: number }>(
    `select count(*)::integer as stored from port p where p.device_id = $1 and p.label = any($2::text[])`,
    [switches.deviceID(address), hostile.map((text) => cutTo(text, 64))],
  );
  return rows[0]!.stored;
}

const atOnce = 8;

/** Sends logins with hostile user and SSID names; returns the number of stored replies. */
async function plantByLogins(world: RadiusWorld): Promise<number> {
  const names = hostile.map((text) => cutTo(text, 120));
  const waiting = [...names.entries()];
  const sender = async () => {
    for (let entry = waiting.pop(); entry; entry = waiting.pop()) {
      const [index, name] = entry;
      await world.send({
        attributes: {
          'User-Name': name,
          'User-Password': 'wrong',
          'Calling-Station-Id': `02-62-00-00-00-${index.toString(16).padStart(2, '0')}`,
          'Called-Station-Id': `02-62-00-00-01-00:${cutTo(name, 32)}`,
        },
      });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, sender));
  const stored = async () => {
    const { rows } = await world.service.runtime.pool.query<{ stored: number }>(
      'select count(*)::integer as stored from radius_response r where r.username = any($1::text[])',
      [names],
    );
    return rows[0]!.stored;
  };
  await expect.poll(stored).toBeGreaterThanOrEqual(names.length - 5);
  return stored();
}

// Opened outside the test, because an afterAll that is registered inside a test is never called.
const world = await browserSessionIn((consoleFolder) => radiusWorld({ jobs: 'work', consoleFolder }));

test(`${hostile.length} hostile strings from the API, files, SNMP, LLDP and RADIUS run no script, send no foreign request and break no page`, async () => {
  const { open, admin, url } = world;
  await Stage.open(world);
  expect(hostile.length).toBeGreaterThanOrEqual(60);
  const [device] = (await admin.get(`${networkDevice.path}?count=1`)).body.results!;
  let planted = 0;
  for (const [index, text] of hostile.entries()) {
    // Cut to the maximum lengths of the API.
    const replies = [
      await admin.post(host.path!, { hostName: text.slice(0, 255), operatingSystem: text.slice(0, 120), notes: text }),
      await admin.post(role.path!, { name: `${text.slice(0, 100)} ${index}`, note: text.repeat(8).slice(0, 2_000) }),
      await admin.post('/logging/event', {
        name: 'EXT_HOSTILE',
        elementType: 0,
        elementName: text.slice(0, 200),
        message: text,
      }),
    ];
    planted += replies.filter(({ code }) => code === 201 || code === 200).length;
  }
  const cell = (text: string) => `"${text.replaceAll('"', '""')}"`;
  const lines = hostile.map((text, index) => `00:50:C2:89:00:${index.toString(16).padStart(2, '0')},${cell(text)}`);
  const file = `adap.mac,host.host\n${lines.join('\n')}\n`;
  const imported = await admin.post('/host/import-hosts', file, { 'content-type': 'text/csv' });
  const task = String(imported.headers.location).replace('/api/v2', '');
  await expect
    .poll(async () => (await admin.get(task)).body.results?.[0]?.state, { timeout: 60_000 })
    .toBe('COMPLETED');
  const ofSwitch = await plantBySwitch(world);
  const ofLogins = await plantByLogins(world);
  console.log(
    `${planted} planted by the API, ${lines.length} by a file, ${ofSwitch} by a switch, ${ofLogins} by logins`,
  );
  expect(Math.min(ofSwitch, ofLogins)).toBeGreaterThanOrEqual(hostile.length - 5);
  expect(planted).toBeGreaterThan(hostile.length * 2.5);

  const page = await open('/');
  const foreignRequests: string[] = [];
  page.on('request', (request) => !request.url().startsWith(url) && foreignRequests.push(request.url()));
  page.on('dialog', (dialog) => {
    foreignRequests.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  await signIn(page);
  const pages = [
    'hosts',
    'roles',
    'events',
    'audit',
    'adapters',
    `devices?group=network-device&open=${device!.id}`,
    'jobs',
    'ports?group=port&sort=dbid&dir=DESC',
    'radius?group=radius-response',
  ];
  for (const path of pages) {
    await page.goto(`${url}/console/${path}`);
    await page.locator('#row-0 [role="gridcell"]').first().waitFor();
    const rows = await page.getByRole('row').count();
    for (let row = 0; row < Math.min(rows - 1, 8); row++) {
      await page.locator(`#row-${row}`).click();
      await page.getByRole('complementary').locator('dl, .message').first().waitFor();
    }
    expect(await page.evaluate('document.body.innerText'), path).not.toMatch(unmarked);
    expect(await page.evaluate('window.harmed'), path).toBeUndefined();
    expect(await page.evaluate('document.documentElement.scrollWidth'), path).toBeLessThanOrEqual(1_440);
  }
  // In forms and in search results.
  for (const text of [markup[1]!, bidi[0]!, long[0]!]) {
    const [storedHost] = (await admin.get(`${host.path}?count=500`)).body.results!.filter(
      ({ notes }) => notes === text,
    );
    await page.goto(`${url}/console/hosts?open=${storedHost!.id}&form=host.update`);
    await page.getByRole('form').waitFor();
    expect(await page.evaluate('window.harmed')).toBeUndefined();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(1_440);
  }
  await page.goto(`${url}/console/roles`);
  await page.getByRole('grid').waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill('invoice');
  await page.getByRole('option').first().waitFor();
  expect(await page.getByRole('listbox').innerText()).not.toMatch(unmarked);
  expect(foreignRequests).toEqual([]);
});
