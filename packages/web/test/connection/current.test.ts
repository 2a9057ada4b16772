import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';

const nothing = () => null;

/** The module, read anew on a page at this address, whose server answers so. */
async function onPage(href: string, responses: Readonly<Record<string, unknown>> = {}) {
  vi.resetModules();
  const replaced: string[] = [];
  vi.stubGlobal('location', new URL(href));
  vi.stubGlobal('history', {
    state: null,
    replaceState: (_: unknown, __: string, to: string) => void replaced.push(to),
  });
  vi.stubGlobal('addEventListener', nothing);
  vi.stubGlobal('sessionStorage', { getItem: nothing, setItem: nothing, removeItem: nothing });
  vi.stubGlobal('fetch', async (url: string) => {
    const response = responses[url];
    if (response === undefined) throw new TypeError(`nobody answers at ${url}`);
    return typeof response === 'string' ? new Response(response) : Response.json(response);
  });
  onTestFinished(() => void vi.unstubAllGlobals());
  const page = await import('../../src/connection/current.js');
  await page.findScanners();
  return { ...page, replaced };
}

beforeEach(() => {
  vi.resetModules();
});

const row = (path: string, url: string, more: object = {}) => ({
  ...{ path, url, name: url.slice(7), group: '', state: 'Measuring', severity: 'good', trouble: [], ...more },
});
const listOf = (...scanners: readonly object[]) => ({
  ...{ total: scanners.length, matching: scanners.length, from: 0, scanners, groups: [] },
  severities: { bad: 0, warn: 0, idle: 0, good: scanners.length },
});
const one = row('/s/1', 'http://10.0.0.1');
const two = row('/s/2', 'http://10.0.0.2:8080', { name: 'Gate 3' });
const firstQuery = 'site?limit=1&sort=name';

test('a page that a scanner serves has that one, wherever a proxy has put it', async () => {
  const { scanner, isOfSeveral } = await onPage('http://proxy/hall/gate/?x=1#/live');
  expect([scanner().url, scanner().gateway, scanner().shownAddress]).toEqual([
    'http://proxy/hall/gate',
    undefined,
    'proxy/hall/gate',
  ]);
  expect(isOfSeveral.value).toBe(false);
});

test('of several scanners, the address says which one is open; none is open without', async () => {
  const responses = { [firstQuery]: listOf(one, two) };
  const { openScanner, scanner, isOfSeveral } = await onPage('http://here/?scanners#/live', responses);
  expect([isOfSeveral.value, openScanner.value]).toEqual([true, undefined]);
  expect(() => scanner()).toThrow('no scanner is open');
  const named = await onPage('http://here/hall/?scanners#/s/2/@/live', { [firstQuery]: listOf(one, two) });
  expect(named.scanner().url).toBe('http://here/hall/s/2');
  expect(named.scanner().gateway).toBeDefined();
});

test('an address cannot lead to anything but scanners', async () => {
  const responses = { [firstQuery]: listOf(one, two) };
  for (const path of ['/../x', '//evil', '/s/..', '/s/1?x']) {
    const { openScanner } = await onPage(`http://here/?scanners#${path}/@/live`, responses);
    expect(openScanner.value, path).toBeUndefined();
  }
});

test('the only scanner of a server of several is open, and the page is like that of one', async () => {
  const { scanner, isOfSeveral } = await onPage('http://here/?scanners#/live', { [firstQuery]: listOf(one) });
  expect([scanner().url, isOfSeveral.value]).toEqual(['http://here/s/1', false]);
});

test('only the local server of azimuth gui receives scan data for its pages, and a fleet does not', async () => {
  const { scannerAt } = await onPage('http://here/?scanners', { [firstQuery]: listOf(one, two) });
  expect(scannerAt(one).gateway).toBeDefined();
  expect(scannerAt(row('/scanners/230001', 'http://10.0.0.9')).gateway).toBeUndefined();
});

test('a scanner has its name and its address from the list, and from a newer one', async () => {
  const { scannerAt, siteRows } = await onPage('http://here/?scanners', {
    [firstQuery]: listOf(one, two),
    'site?q=gate': listOf({ ...two, name: 'Gate 4' }),
  });
  const link = scannerAt({ path: '/s/2', url: 'http://10.0.0.2:8080', name: 'Gate 3' });
  expect([link.title.value, link.shownAddress]).toEqual(['Gate 3', '10.0.0.2:8080']);
  await siteRows({ q: 'gate' }, new AbortController().signal);
  expect(link.title.value).toBe('Gate 4');
});

test('a server that does not answer, or not with a list, leaves a page that can ask again', async () => {
  for (const response of [undefined, 'no JSON', '[]', { ...listOf(one), total: -1 }]) {
    const responses = response === undefined ? {} : { [firstQuery]: response };
    const { isOfSeveral, site, openScanner } = await onPage('http://here/?scanners', responses);
    expect([isOfSeveral.value, site.value, openScanner.value]).toEqual([true, undefined, undefined]);
  }
});

test('a page that has followed its scanner to a new address does not do so again after a reload', async () => {
  const { replaced, pageAfterMove } = await onPage('http://10.0.0.5/?moved#/live');
  expect(replaced).toEqual(['http://10.0.0.5/#/live']);
  expect(pageAfterMove('http://10.0.0.6')).toBe('http://10.0.0.6/?moved#/live');
});
