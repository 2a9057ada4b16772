import { Scanner, ScannerError } from '@azimuth/client';
import { defineProduct, detectionHistory, extensions, type Product, type Release } from '@azimuth/model';
import { bootMilliseconds, TestScanner } from '@azimuth/test-support/test-scanner';
import { until } from '@azimuth/test-support/waiting';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { Gateway } from '../../src/connection/gateway.js';
import { ofEachScanner, ScannerLink } from '../../src/connection/scanner-link.js';
import { ScannerFields } from '../../src/fields/scanner-fields.js';
import { applyPlan, consequenceOf, planOf } from '../../src/network/address-plan.js';

beforeEach(() => {
  const storedItems = new Map<string, string>();
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => storedItems.get(key) ?? null,
    setItem: (key: string, value: string) => void storedItems.set(key, value),
    removeItem: (key: string) => void storedItems.delete(key),
  });
  onTestFinished(() => void vi.unstubAllGlobals());
});

/** A scanner in this process, and the link of a page to it. */
async function linked(release?: Release, product?: Product) {
  const scanner = await TestScanner.start({
    legacy: 'closed',
    release,
    product,
  });
  const url = `http://127.0.0.1:${scanner.httpPort}`;
  const link = new ScannerLink(url);
  onTestFinished(() => link.close());
  link.open();
  const known = async (name: string) => {
    await until(() => link.value(name) !== undefined);
    return link.value(name);
  };
  return { scanner, link, url, known, client: scanner.client() };
}

const login = (link: ScannerLink) => link.login.enter('Service', 'servicelevel', false);

test('a link follows what anybody changes, and says that the scanner is there', async () => {
  const { link, known, client } = await linked();
  expect(link.state.value.kind).toBe('connecting');
  expect(await known('LocationName')).toBe('not defined');
  await until(() => link.state.value.kind === 'live');
  await client.write('LocationName', 'Gate 5');
  await expect.poll(() => link.value('LocationName')).toBe('Gate 5');
  expect(link.title.value).toBe('Gate 5');
});

test('a link knows the edition and the name of its scanner', async () => {
  const { link, url } = await linked('2.2.0');
  expect(link.title.value).toBe(url.replace('http://', ''));
  await expect.poll(() => link.edition.value).toMatchObject({ release: '2.2.0', variant: 'full' });
  await expect.poll(() => link.title.value).toMatch(/^\S+ 12345678$/);
});

test('a link knows the own names of a product, and what it lacks', async () => {
  const product = defineProduct({
    name: 'GateScan',
    deviceType: 'GateScan2',
    orderNumber: '1',
    realm: 'Gate Sensor',
    releases: { '5.0.1': '2.2.0' },
    groups: { added: { Laser: {} }, removed: ['Detection history'] },
    variables: {
      GateName: {
        group: 'Laser',
        text: 'Name of the gate.',
        type: { kind: 'string', maxLength: 16 },
        write: 'AuthorizedClient',
      },
    },
  });
  const { link, known, scanner } = await linked(undefined, product);
  await expect.poll(() => link.edition.value?.version).toBe('5.0.1');
  const edition = link.edition.value;
  expect(edition).toMatchObject({ release: '2.2.0', variant: 'full' });
  expect(edition && detectionHistory.members.ResetDetectionHistory.isIn(edition)).toBe(false);
  expect(link.known.value.variable('GateName')?.facts.text).toBe('Name of the gate.');
  expect(await known('GateName')).toBe('');
  await expect.poll(() => link.title.value).toBe('GateScan 12345678');
  await login(link);
  await link.write('GateName', 'Gate 5');
  await expect.poll(() => link.stored.unsaved.value).toEqual(['GateName']);
  await scanner.service.close();
});

test('what is written and called here is noted, and what is unsaved is known until it is saved', async () => {
  const { link, known } = await linked();
  await login(link);
  expect(link.stored.unsaved.value).toBeUndefined();
  await expect.poll(() => link.stored.unsaved.value).toEqual([]);
  await known('LocationName');
  await link.write('LocationName', 'Gate 3');
  expect(link.value('LocationName')).toBe('Gate 3');
  expect(link.stored.unsaved.value).toEqual(['LocationName']);
  await link.save();
  expect(link.stored.unsaved.value).toEqual([]);
  expect(link.history.changes.value.map(({ name }) => name)).toEqual(['LocationName', 'WriteEeprom']);
});

test('a call that the scanner answers without having done it is an error that says why', async () => {
  const { link } = await linked();
  await login(link);
  await expect(link.call('EnableUserLevel', { userLevel: 0, isEnabled: true })).rejects.toThrow(
    /NOT_ACCEPTED/,
  );
  expect(link.history.changes.value).toEqual([]);
});

test('a scanner that reboots is gone, and live again afterwards', async () => {
  const { scanner, link } = await linked();
  await until(() => link.state.value.kind === 'live');
  scanner.service.device.lifecycle.reboot();
  await until(() => link.state.value.kind === 'unreachable');
  scanner.clock.advance(bootMilliseconds);
  await until(() => link.state.value.kind === 'live');
  expect(link.state.value.kind).toBe('live');
});

test('a login is refused, taken, and ended by a new password', async () => {
  const { link } = await linked();
  const { login: logins } = link;
  await expect(logins.enter('Service', 'wrong', false)).rejects.toThrow();
  expect([logins.level, logins.mayAs('Run')]).toEqual([undefined, false]);
  await logins.enter('Service', 'servicelevel', true);
  expect([logins.level, logins.hasFactoryPassword, logins.mayAs('AuthorizedClient')]).toEqual([
    'Service',
    true,
    true,
  ]);
  expect(sessionStorage.getItem(`login ${link.url}`)).toContain('servicelevel');
  await logins.changePassword('Service', 'servicelevel', 'another one');
  expect([logins.level, logins.hasFactoryPassword]).toEqual(['Service', false]);
  expect(sessionStorage.getItem(`login ${link.url}`)).toContain('another one');
  logins.leave();
  expect([logins.level, sessionStorage.getItem(`login ${link.url}`)]).toEqual([undefined, null]);
});

test('a login has the rights of its level and those below, and is kept only as long as that is wanted', async () => {
  const { link } = await linked();
  const { login: logins } = link;
  await logins.enter('Service', 'servicelevel', true);
  await link.call('EnableUserLevel', { userLevel: 3, isEnabled: true });
  const storedLogin = () => sessionStorage.getItem(`login ${link.url}`);
  expect(storedLogin()).toContain('Service');
  await logins.enter('AuthorizedClient', 'client', false);
  const levels = ['Run', 'Maintenance', 'AuthorizedClient', 'Service'] as const;
  expect(levels.map((level) => logins.mayAs(level))).toEqual([true, true, true, false]);
  expect(storedLogin()).toBeNull();
});

test('a page that is loaded again takes the login that was kept, and drops one that is no longer right', async () => {
  const { link, url } = await linked();
  await link.login.enter('Service', 'servicelevel', true);
  const again = new ScannerLink(url);
  await expect.poll(() => again.login.level).toBe('Service');
  await link.login.changePassword('Service', 'servicelevel', 'another one');
  sessionStorage.setItem(`login ${url}`, JSON.stringify({ level: 'Service', password: 'servicelevel' }));
  const late = new ScannerLink(url);
  await expect.poll(() => sessionStorage.getItem(`login ${url}`)).toBeNull();
  expect(late.login.level).toBeUndefined();
});

test('the password that is changed elsewhere ends the login, which says so', async () => {
  const { link, url } = await linked();
  await login(link);
  const other = new ScannerLink(url);
  await other.login.changePassword('Service', 'servicelevel', 'another one');
  await expect(link.write('LocationName', 'Gate 3')).rejects.toThrow();
  expect([link.login.level, link.login.lost.value]).toEqual([undefined, 'Service']);
  await link.login.enter('Service', 'another one', false);
  expect(link.login.lost.value).toBeUndefined();
});

const corners = [
  { x: 0, y: 0 },
  { x: 1000, y: 0 },
  { x: 0, y: 1000 },
];

test('the fields of a scanner with extensions are defined as a whole', async () => {
  const { link } = await linked();
  await login(link);
  const fields = new ScannerFields(link);
  expect([fields.definable.value, fields.definitions.value]).toEqual(['unknown', undefined]);
  await expect.poll(() => fields.definable.value).toBe('all');
  expect([fields.definitions.value, fields.lackContours.value]).toEqual([
    { evaluations: [], groups: [] },
    false,
  ]);
  const [evaluation] = (await defined(fields)).evaluations;
  expect(evaluation).toMatchObject({ Id: 2, Points: corners });
  await fields.readAgain();
  expect(fields.definitions.value?.evaluations).toHaveLength(1);
});

/** Sends a field, and returns what is there then. */
async function defined(fields: ScannerFields) {
  await expect.poll(() => fields.definable.value).toBe('all');
  const draft = { evaluations: [{ Id: 2, Points: corners }], groups: [] };
  await fields.send(extensions.members.fields.type.fromJson(draft, 'fields'));
  const { value } = fields.definitions;
  if (value === undefined) throw new Error('nothing is known');
  return value;
}

test('of a scanner that does not show its fields, the outlines are read and set one by one', async () => {
  const { link, url, client } = await linked();
  await login(link);
  await defined(new ScannerFields(link));
  const { readAny } = Scanner.prototype;
  vi.spyOn(Scanner.prototype, 'readAny').mockImplementation(function (this: Scanner, name) {
    return name === 'x/fields'
      ? Promise.reject(new ScannerError(name, 5, 'Not Found', ''))
      : readAny.call(this, name);
  });
  const without = new ScannerLink(url);
  await login(without);
  const fields = new ScannerFields(without);
  await expect.poll(() => fields.definable.value).toBe('contours');
  await expect.poll(() => fields.definitions.value?.evaluations).toMatchObject([{ Id: 2, Points: [] }]);
  // No contour is known yet: that of a field is not empty.
  expect([fields.lackContours.value, fields.knowsContours.value]).toEqual([true, false]);
  await fields.readContours();
  expect([fields.lackContours.value, fields.knowsContours.value]).toEqual([false, true]);
  const known = fields.definitions.value;
  expect(known?.evaluations).toMatchObject([{ Id: 2, Points: corners }]);
  if (known === undefined) return;
  const contourNow = async () => (await client.call('GetFieldEvaluationContour', { EvaluationId: 2 })).text;
  const before = await contourNow();
  await fields.send(known);
  expect(without.history.changes.value).toEqual([]);
  const larger = corners.map(({ x, y }) => ({ x: 2 * x, y: 2 * y }));
  await fields.send({ ...known, evaluations: known.evaluations.map((one) => ({ ...one, Points: larger })) });
  expect(without.history.changes.value.map(({ name }) => name)).toEqual(['SetFieldEvaluationContour']);
  expect(fields.definitions.value?.evaluations).toMatchObject([{ Id: 2, Points: larger }]);
  expect(await contourNow()).not.toBe(before);
});

test('what belongs to a scanner is made once for each', () => {
  const of = ofEachScanner<object, object>(() => ({}));
  const one = {};
  expect(of(one)).toBe(of(one));
  expect(of(one)).not.toBe(of({}));
});

test('a scanner of a fleet goes to its new address, and its page stays at the fleet', async () => {
  const { url, scanner } = await linked();
  await scanner.client().write('EtherIPAddress', [192, 168, 0, 7]);
  const link = new ScannerLink(url, { isOneOfSeveral: true });
  onTestFinished(() => link.close());
  link.open();
  const now = () => planOf((name) => link.value(name));
  await until(() => Object.values(now()).every((value) => value !== undefined));
  const plan = { ...now(), EtherIPAddress: [192, 168, 0, 9] };
  expect(consequenceOf(link, plan)).toMatch(
    /Then the scanner is at http:\/\/192\.168\.0\.9\. The fleet goes on/,
  );
  expect(consequenceOf(link, { ...plan, EtherIPAddress: [192, 168, 0, 7] })).toMatch(/The address stays/);
  await login(link);
  await applyPlan(link, plan);
  expect(link.addressMove.state.value).toMatchObject({ kind: 'leaving', to: 'http://192.168.0.9' });
  link.addressMove.forget();
  const ofGui = new ScannerLink(url, { isOneOfSeveral: true, gateway: new Gateway(url) });
  expect([link.isOfFleet, ofGui.isOfFleet]).toEqual([true, false]);
});
