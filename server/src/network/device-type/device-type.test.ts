import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { testCollection } from '../../../test/conformance/conformance.ts';
import { Client } from '../../../test/world/client.ts';
import { overlayWorld } from '../../../test/world/overlay-world.ts';
import { collection, deletes } from '../../kernel/declare/declaration.ts';
import { computed, identity, reference, text, version } from '../../kernel/declare/field.ts';
import { resource } from '../../kernel/operations/resource.ts';
import { deviceType, deviceTypeSql } from './device-type.ts';
import { libraryIcons } from './icon-library.ts';
import { iconNames } from './icon-names.ts';
import { slugOf } from './slug.ts';

/** The built-in types: tag, name, category and icon. */
const shippedTypes = [
  ['windows', 'Windows', 'COMPUTER', 'app-window'],
  ['macos', 'macOS', 'COMPUTER', 'laptop'],
  ['linux', 'Linux', 'COMPUTER', 'square-terminal'],
  ['chromeos', 'ChromeOS', 'COMPUTER', 'laptop-minimal'],
  ['android', 'Android', 'MOBILE', 'bot'],
  ['ios', 'iOS', 'MOBILE', 'smartphone'],
  ['mobile', 'Mobile device', 'MOBILE', 'smartphone-nfc'],
  ['tablet', 'Tablet', 'MOBILE', 'tablet'],
  ['thin-client', 'Thin client', 'COMPUTER', 'monitor'],
  ['server', 'Server', 'COMPUTER', 'server'],
  ['hypervisor', 'Hypervisor', 'COMPUTER', 'layers'],
  ['nas', 'Network storage', 'COMPUTER', 'hard-drive'],
  ['printer', 'Printer', 'PRINT', 'printer'],
  ['projector', 'Projector', 'VIDEO', 'projector'],
  ['ip-phone', 'IP phone', 'VOICE', 'phone'],
  ['pbx', 'Telephone exchange', 'VOICE', 'phone-call'],
  ['video-conference', 'Video conference system', 'VIDEO', 'video'],
  ['camera', 'Camera', 'VIDEO', 'cctv'],
  ['recorder', 'Video recorder', 'VIDEO', 'clapperboard'],
  ['switch', 'Switch', 'NETWORK', 'ethernet-port'],
  ['router', 'Router', 'NETWORK', 'router'],
  ['firewall', 'Firewall', 'NETWORK', 'brick-wall-fire'],
  ['access-point', 'Access point', 'NETWORK', 'wifi'],
  ['wireless-controller', 'Wireless controller', 'NETWORK', 'radio-tower'],
  ['hub', 'Hub', 'NETWORK', 'waypoints'],
  ['vpn', 'VPN gateway', 'NETWORK', 'globe-lock'],
  ['network', 'Network device', 'NETWORK', 'network'],
  ['ups', 'Uninterruptible power supply', 'INDUSTRIAL', 'battery-charging'],
  ['badge-reader', 'Badge reader', 'IOT', 'id-card'],
  ['alarm', 'Alarm system', 'IOT', 'siren'],
  ['hvac', 'Heating and ventilation', 'IOT', 'air-vent'],
  ['lighting', 'Lighting', 'IOT', 'lightbulb'],
  ['iot', 'Internet of things', 'IOT', 'cpu'],
  ['plc', 'Programmable controller', 'INDUSTRIAL', 'circuit-board'],
  ['medical-device', 'Medical device', 'MEDICAL', 'heart-pulse'],
  ['pos-terminal', 'Payment terminal', 'OTHER', 'credit-card'],
  ['gaming-device', 'Gaming device', 'ENTERTAINMENT', 'gamepad-2'],
  ['smart-tv', 'Smart TV', 'ENTERTAINMENT', 'tv'],
  ['media-player', 'Media player', 'ENTERTAINMENT', 'tv-minimal-play'],
  ['unknown', 'Unknown', 'OTHER', 'circle-question-mark'],
] as const;

/** A resource that refers to a type, as profiling rules do. */
const observation = collection({
  name: 'sighting',
  title: 'Sighting',
  path: '/settings/zoo/sighting',
  permission: 'device-profiling',
  doc: 'Devices that somebody saw.',
  patterns: ['list', 'fetch', 'create', ...deletes],
  fields: {
    id: identity(),
    version,
    name: text({ min: 1, max: 60 }),
    typeID: reference('device-type', 'restrict', { nullable: true }),
    type: computed<object | null>(
      {
        kind: 'object',
        nullable: true,
        properties: {
          name: { kind: 'text', max: 64 },
          tag: { kind: 'text', max: 40 },
          imageFile: { kind: 'text', max: 120 },
          id: { kind: 'integer', min: 0, max: Number.MAX_SAFE_INTEGER },
        },
      },
      deviceTypeSql('r.type_id'),
    ),
  },
});

const svgUri = (svg: string): string => `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;
const square = (size: number): string =>
  svgUri(`<svg xmlns="http://www.w3.org/2000/svg"><rect width="${size}" height="${size}"/></svg>`);

describe('device-type', async () => {
  const shared = await overlayWorld([resource('Sighting', observation)]);
  const { admin, service } = shared;
  const path = deviceType.path!;
  let createdCount = 0;
  const type = (overrides: object = {}) => {
    const n = ++createdCount;
    return { name: `Gadget ${n}`, tag: `gadget-${n}`, category: 'OTHER', ...overrides };
  };
  /** Loads a file without a token, as browsers do. */
  const load = (url: string, headers: Record<string, string> = {}) => service.app.inject({ url, headers });
  const archive = async () => (await admin.get(`${path}/image/archive`)).body.results!;
  const shippedId = async (tag: string) =>
    (await admin.get<{ id: number }>(`${path}?filter=tag==${tag}`)).body.results![0]!.id;

  test('a new cell has forty types, each with an existing icon', async () => {
    const { results, total } = (await admin.get(path)).body;
    expect(total).toBe(40);
    expect(
      results!.map(({ tag, name, category, imageFile, defaultType, id, dbid, hostCount }) => ({
        shown: [tag, name, category, imageFile],
        shipped: defaultType === true && dbid === id && hostCount === 0,
      })),
    ).toEqual(
      shippedTypes.map(([tag, name, category, icon]) => ({
        shown: [tag, name, category, `/icons/${icon}.svg`],
        shipped: true,
      })),
    );
    for (const { imageFile } of results!)
      expect((await load(String(imageFile))).statusCode, String(imageFile)).toBe(200);
  });

  testCollection(deviceType, {
    world: shared,
    sample: (n) => ({ name: `Type ${n}`, tag: `type-${n}`, category: 'PRINT', smallIcon: square(n) }),
    referrer: async ({ admin }, { id, name }) => {
      await admin.create(observation, { name: `Saw ${name}`, typeID: id });
      return { group: 'Sighting', name: `Saw ${name}` };
    },
  });

  test('a type that others use shows in them, names them, and is not deleted', async () => {
    const id = await admin.create(
      deviceType,
      type({ name: 'Toaster', tag: 'toaster', imageFile: '/icons/heater.svg' }),
    );
    const rule = await admin.create(observation, { name: 'In the kitchen', typeID: id });
    expect((await admin.fetch(observation, rule)).type).toEqual({
      name: 'Toaster',
      tag: 'toaster',
      imageFile: '/icons/heater.svg',
      id,
    });
    expect((await admin.get(`${path}/${id}/usage`)).body.results).toEqual([
      { name: 'Sighting', children: ['In the kitchen'] },
    ]);
    expect(await admin.delete(`${path}/${id}`)).toMatchObject({ code: 409, body: { status: 'in-use' } });
    expect((await admin.fetch(observation, await admin.create(observation, { name: 'Of nothing' }))).type).toBeNull();
  });

  test('a script and an external image in an uploaded SVG are in nothing that is served', async () => {
    const largeIcon = svgUri(
      `<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(2)</script>
       <image href="http://192.0.2.1/track.png"/><path d="M0 0h8v8z"/></svg>`,
    );
    const id = await admin.create(deviceType, type({ largeIcon }));
    const record = await admin.fetch(deviceType, id);
    expect(record.imageFile).toBe(`/icons/device-type/${id}`);
    const clean = '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0h8v8z"/></svg>';
    expect(record.largeIcon).toBe(svgUri(clean));
    const served = await load(String(record.imageFile));
    expect([served.statusCode, served.body]).toEqual([200, clean]);
    expect(served.headers).toMatchObject({
      'content-type': 'image/svg+xml',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-cache',
    });
    const again = await load(String(record.imageFile), { 'if-none-match': String(served.headers.etag) });
    expect([again.statusCode, again.body]).toEqual([304, '']);
    expect((await admin.post(`${path}/${id}`, { largeIcon: square(3) })).code).toBe(200);
    const changed = await load(String(record.imageFile), { 'if-none-match': String(served.headers.etag) });
    expect([changed.statusCode, changed.body]).toEqual([200, expect.stringContaining('width="3"')]);
  });

  test('an icon that is none is refused where it stands', async () => {
    for (const smallIcon of [svgUri('<html/>'), svgUri('<!DOCTYPE svg><svg/>'), 'data:image/png;base64,AAAA']) {
      const reply = await admin.post(path, type({ smallIcon }));
      expect(reply).toMatchObject({ code: 400, body: { status: 'invalid' } });
      expect(reply.body.errorMessage).toMatch(/^smallIcon: the icon /);
    }
    const large = `<svg xmlns="http://www.w3.org/2000/svg"><path d="${'M0'.repeat(32_730)}"/></svg>`;
    expect((await admin.post(path, type({ smallIcon: svgUri(large), largeIcon: svgUri(large) }))).code).toBe(201);
  });

  test('the icon to show is chosen, or the one that was uploaded', async () => {
    const id = await admin.create(deviceType, type());
    const image = async (change: object) => {
      const reply = await admin.post(`${path}/${id}`, change);
      return reply.code === 200 ? (await admin.fetch(deviceType, id)).imageFile : reply.code;
    };
    const ownPath = `/icons/device-type/${id}`;
    expect(await image({})).toBe('/icons/circle-question-mark.svg');
    expect((await load(ownPath)).statusCode).toBe(404);
    expect(await image({ imageFile: ownPath })).toBe(422);
    expect(await image({ imageFile: '/icons/heater.svg' })).toBe('/icons/heater.svg');
    // A record that was read, given an icon and sent back: the icon counts.
    const storedType = await admin.fetch(deviceType, id);
    expect(await image({ ...storedType, smallIcon: square(1) })).toBe(ownPath);
    expect(await image({ imageFile: '/icons/fan.svg' })).toBe('/icons/fan.svg');
    expect(await image({ largeIcon: square(2) })).toBe('/icons/fan.svg');
    expect(await image({ imageFile: ownPath })).toBe(ownPath);
    expect((await load(ownPath)).body).toContain('width="2"');
    expect(await image({ largeIcon: null })).toBe(ownPath);
    expect((await load(ownPath)).body).toContain('width="1"');
    expect(await image({ smallIcon: null })).toBe('/icons/circle-question-mark.svg');
    for (const imageFile of [
      '/icons/no-such-icon.svg',
      '/icons/../../etc/passwd',
      'https://192.0.2.1/a.svg',
      'printer',
    ])
      expect(await image({ imageFile }), imageFile).toBe(400);
    const copy = await admin.create(deviceType, type({ imageFile: '/icons/device-type/1', smallIcon: square(4) }));
    expect((await admin.fetch(deviceType, copy)).imageFile).toBe(`/icons/device-type/${copy}`);
  });

  test('a shipped type stays as it is', async () => {
    const id = await shippedId('printer');
    const record = await admin.fetch(deviceType, id);
    for (const reply of [
      await admin.post(`${path}/${id}`, { name: 'Plotter' }),
      await admin.post(path, { id, smallIcon: square(1) }),
      await admin.delete(`${path}/${id}`),
      await admin.post(`${path}/${id}/delete`),
      await admin.post(`${path}/delete`, { id: [id] }),
    ])
      expect(reply).toMatchObject({ code: 409, body: { status: 'protected' } });
    expect(await admin.post(`${path}/${id}`, record)).toMatchObject({ code: 200, headers: { etag: '"1"' } });
    expect(await admin.fetch(deviceType, id)).toEqual(record);
  });

  test('the archive has the icons of the library with their licences, and those that were uploaded', async () => {
    const id = await admin.create(deviceType, type({ tag: 'uploaded-one', smallIcon: square(7) }));
    await admin.create(deviceType, type({ tag: 'without-one' }));
    const images = await archive();
    expect(images).toContainEqual({ name: 'printer', imageFile: '/icons/printer.svg', licence: 'ISC' });
    expect(images).toContainEqual({ name: 'server', imageFile: '/icons/server.svg', licence: 'MIT' });
    expect(images).toContainEqual({
      name: 'device-type/uploaded-one',
      imageFile: `/icons/device-type/${id}`,
      licence: null,
    });
    expect(images.map(({ name }) => name)).not.toContain('device-type/without-one');
    for (const { imageFile } of images) expect((await load(String(imageFile))).statusCode, String(imageFile)).toBe(200);
  });

  test('licences are those that the package of the icons states', async () => {
    const licence = await readFile(fileURLToPath(import.meta.resolve('lucide-static/LICENSE')), 'utf8');
    const derived = /derived from the Feather project:\s+(.*)\n/.exec(licence)![1]!.split(', ');
    const names = [...libraryIcons.keys()];
    expect(names.filter((name) => derived.includes(name))).toEqual([...iconNames.MIT]);
    expect(new Set(names).size).toBe(iconNames.ISC.length + iconNames.MIT.length);
  });

  describe('from the archive', () => {
    const createFrom = (body: object, query = '') => admin.post(`${path}/createFromArchive${query}`, body);
    const fetchAt = async (location: unknown) =>
      admin.fetch(deviceType, Number(String(location).slice(`/api/v2${path}/`.length)));

    test('a type is made with an icon of the library, and a tag from its name', async () => {
      const body = { name: 'Étiqueteuse (2)', category: 'PRINT', image: 'barcode' };
      const simulated = await createFrom(body, '?dryRun=true');
      expect(simulated).toMatchObject({ code: 200, body: { results: [{ tag: 'etiqueteuse-2' }] } });
      const reply = await createFrom(body);
      expect(reply).toMatchObject({ code: 201, headers: { etag: '"1"' } });
      expect(reply.body).toEqual({ status: 'success', errorMessage: null });
      expect(await fetchAt(reply.headers.location)).toMatchObject({
        name: 'Étiqueteuse (2)',
        tag: 'etiqueteuse-2',
        category: 'PRINT',
        imageFile: '/icons/barcode.svg',
        smallIcon: null,
        defaultType: false,
      });
      expect(await createFrom(body)).toMatchObject({ code: 409, body: { status: 'duplicate' } });
      expect((await createFrom({ ...body, tag: 'label-maker' })).code).toBe(201);
    });

    test('a type is made with the icon of another, which it keeps when that one goes', async () => {
      const source = await admin.create(deviceType, type({ tag: 'source', largeIcon: square(9) }));
      const reply = await createFrom({ name: 'Heir', category: 'OTHER', image: 'device-type/source' });
      expect(reply.code).toBe(201);
      await admin.delete(`${path}/${source}`);
      const heir = await fetchAt(reply.headers.location);
      expect(heir).toMatchObject({ largeIcon: square(9), imageFile: `/icons/device-type/${heir.id}` });
      expect((await load(String(heir.imageFile))).body).toContain('width="9"');
    });

    test('an icon that the archive does not have is not found', async () => {
      for (const image of ['no-such-icon', '../printer', 'constructor', 'device-type/none', 'device-type/printer'])
        expect(await createFrom({ name: 'Nothing', category: 'OTHER', image }), image).toMatchObject({
          code: 404,
          body: { status: 'not-found' },
        });
      expect((await createFrom({ name: '日本', category: 'OTHER', image: 'printer' })).code).toBe(400);
      expect((await createFrom({ name: 'Nothing', image: 'printer' })).code).toBe(400);
    });

    test('rejects a caller without the right to add types', async () => {
      const modifier = await shared.caller({ 'device-profiling': ['view', 'modify'] });
      const body = { name: 'Refused', category: 'OTHER', image: 'printer' };
      expect((await modifier.post(`${path}/createFromArchive`, body)).code).toBe(403);
      expect((await modifier.get(`${path}/image/archive`)).code).toBe(200);
      expect((await new Client(service.app, '').get(`${path}/image/archive`)).code).toBe(401);
    });
  });

  test('an icon of the library is served to everybody, and only such names are looked for', async () => {
    const served = await load('/icons/circle-question-mark.svg');
    expect(served.statusCode).toBe(200);
    expect(served.headers).toMatchObject({ 'content-type': 'image/svg+xml', 'cache-control': 'public, max-age=86400' });
    expect(served.headers['content-security-policy']).toContain("default-src 'none'");
    expect(served.body).toContain('<svg');
    for (const url of [
      '/icons/no-such-icon.svg',
      '/icons/zap.svg',
      '/icons/..%2f..%2fpackage.svg',
      '/icons/__proto__.svg',
      '/icons/printer',
      '/icons/device-type/999999999',
      '/icons/device-type/0',
      '/icons/device-type/abc',
      '/icons/device-type/9999999999999999999',
    ])
      expect((await load(url)).statusCode, url).toBe(404);
    expect((await load('/icons/printer.svg?size=1')).statusCode).toBe(400);
    const posted = await service.app.inject({ method: 'POST', url: '/icons/printer.svg' });
    expect([posted.statusCode, posted.headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS']);
  });

  test('a tag made of a name is a tag', () => {
    for (const [name, tag] of [
      ['Badge printer', 'badge-printer'],
      ['  --Über 9000!  ', 'uber-9000'],
      ['a'.repeat(39) + ' b', 'a'.repeat(39)],
      ['x', undefined],
      ['日本', undefined],
    ] as const)
      expect(slugOf(name)).toBe(tag);
  });
});
