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

const listed = [
  { path: '/scanners/1', url: 'http://10.0.0.1' },
  { path: '/scanners/2', url: 'http://10.0.0.2:8080' },
];

test('a page that a scanner serves has that one, wherever a proxy has put it', async () => {
  const { scanner, scanners } = await onPage('http://proxy/hall/gate/?x=1#/live');
  expect(scanners.value.map(({ url }) => url)).toEqual(['http://proxy/hall/gate']);
  expect([scanner().gateway, scanner().shownAddress]).toEqual([undefined, 'proxy/hall/gate']);
});

test('a page of several scanners has those that its server lists, the first one being shown', async () => {
  const { scanner, scanners, choose } = await onPage('http://here/?scanners', { scanners: listed });
  expect(scanners.value.map(({ url, shownUrl }) => [url, shownUrl])).toEqual([
    ['http://here/scanners/1', 'http://10.0.0.1'],
    ['http://here/scanners/2', 'http://10.0.0.2:8080'],
  ]);
  expect(scanners.value.every(({ gateway }) => gateway !== undefined)).toBe(true);
  const [first, second] = scanners.value;
  expect(scanner()).toBe(first);
  if (second !== undefined) choose(second);
  expect(scanner()).toBe(second);
});

test('what the server knows of the scanners is there before anybody asks them', async () => {
  const states = [
    { scanner: 1, values: { LocationName: 'Gate 3' } },
    { scanner: 0, gone: 'no route to http://here/scanners/1' },
    { scanner: 9, values: {} },
  ];
  const text = `${states.map((one) => JSON.stringify(one)).join('\n')}\n`;
  const { scanners } = await onPage('http://here/?scanners', {
    scanners: listed,
    'http://here/states': text,
  });
  const [first, second] = scanners.value;
  await expect.poll(() => second?.title.value).toBe('Gate 3');
  // In words about the scanner, and not about the way from this page.
  await expect
    .poll(() => first?.state.value)
    .toMatchObject({ kind: 'unreachable', why: 'no route to http://10.0.0.1' });
});

test('a page without a scanner says so', async () => {
  const { scanner } = await onPage('http://here/?scanners', { scanners: 'null' });
  expect(() => scanner()).toThrow('the page has no scanner');
});

test('a page that has followed its scanner to a new address does not do so again after a reload', async () => {
  const { replaced, pageAfterMove } = await onPage('http://10.0.0.5/?moved#/live');
  expect(replaced).toEqual(['http://10.0.0.5/#/live']);
  expect(pageAfterMove('http://10.0.0.6')).toBe('http://10.0.0.6/?moved#/live');
});
