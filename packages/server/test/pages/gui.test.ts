import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@azimuth/test-support/files';
import { TestScanner } from '@azimuth/test-support/test-scanner';
import { expect, test } from 'vitest';

const index = '<!doctype html><script type="module" src="/assets/app-1a2b.js"></script>';
const script = 'console.log("scan");'.repeat(100);

function build(folder: string): void {
  mkdirSync(join(folder, 'assets', 'deeper'), { recursive: true });
  writeFileSync(join(folder, 'index.html'), index);
  writeFileSync(join(folder, 'icon.svg'), '<svg/>');
  writeFileSync(join(folder, 'secret.txt'), 'another file');
  writeFileSync(join(folder, 'assets', 'app-1a2b.js'), script);
  writeFileSync(join(folder, 'assets', 'app-1a2b.js.map'), 'another file');
  writeFileSync(join(folder, 'assets', 'deeper', 'file.js'), 'another file');
}

async function start(gui?: string) {
  const scanner = await TestScanner.start({ web: gui === undefined ? {} : { gui } });
  const client = scanner.client();
  const get = (path: string, headers = {}, method = 'GET') => client.send({ method, path, headers });
  return { scanner, get };
}

async function startBuilt() {
  const folder = temporaryFolder();
  build(folder);
  return { folder, ...(await start(folder)) };
}

test('the GUI is at /, and each load asks whether it has changed', async () => {
  const { get } = await startBuilt();
  const { httpStatus, headers, text } = await get('/');
  expect([httpStatus, text]).toEqual([200, index]);
  expect(headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'content-length': String(index.length),
    'cache-control': 'no-cache',
    vary: 'Accept-Encoding',
  });
  const etag = String(headers.etag);
  for (const known of [etag, etag.slice(2), `"other", ${etag}`, '*']) {
    const again = await get('/', { 'If-None-Match': known });
    expect([again.httpStatus, again.text, again.headers.etag]).toEqual([304, '', etag]);
  }
  expect((await get('/', { 'If-None-Match': 'W/"other"' })).httpStatus).toBe(200);
  expect((await get('/icon.svg')).headers).toMatchObject({
    'content-type': 'image/svg+xml',
    'cache-control': 'no-cache',
  });
});

test('files whose names contain a hash are kept by the browser, and are compressed for those who accept it', async () => {
  const { scanner } = await startBuilt();
  const address = `http://127.0.0.1:${scanner.httpPort}/assets/app-1a2b.js`;
  const plain = await fetch(address, { headers: { 'Accept-Encoding': 'identity' } });
  expect(plain.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  expect(plain.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  expect(plain.headers.get('content-encoding')).toBeNull();
  expect(await plain.text()).toBe(script);
  const zipped = await fetch(address, { headers: { 'Accept-Encoding': 'br, gzip' } });
  expect(zipped.headers.get('content-encoding')).toBe('gzip');
  expect(Number(zipped.headers.get('content-length'))).toBeLessThan(script.length / 4);
  expect(await zipped.text()).toBe(script);
});

test.each(['/', '/icon.svg', '/assets/app-1a2b.js'])(
  'pages may load nothing from elsewhere: %s',
  async (path) => {
    const { get } = await startBuilt();
    const { headers } = await get(path);
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
    });
    const policy = String(headers['content-security-policy']).split('; ');
    expect(policy).toContain("default-src 'none'");
    for (const kind of ['script', 'style', 'img', 'connect']) expect(policy).toContain(`${kind}-src 'self'`);
    expect(policy.join()).not.toMatch(/unsafe|data:|blob:|\*/);
  },
);

test.each([
  '/index.html',
  '/secret.txt',
  '/assets',
  '/assets/',
  '/assets/nothing.js',
  '/assets/app-1a2b.js.map',
  '/assets/deeper',
  '/assets/deeper/file.js',
  '/assets/../secret.txt',
  '/assets/%2e%2e/secret.txt',
  '/assets/..%2fsecret.txt',
  '/assets/..%5csecret.txt',
  '/assets/__proto__',
  '/assets/constructor',
])('nothing else of the folder is sent: %s', async (path) => {
  const { get } = await startBuilt();
  const { httpStatus, text } = await get(path);
  expect(httpStatus).toBe(404);
  expect(text).not.toContain('another file');
});

test('unknown files take no memory in the metrics', async () => {
  const { get } = await startBuilt();
  for (const name of ['a', 'b', 'c']) await get(`/assets/${name}.js`);
  await get('/assets/app-1a2b.js');
  const lines = (await get('/metrics')).text.split('\n').filter((line) => line.includes('/assets/'));
  expect(lines).toEqual([
    'azimuth_page_requests_total{path="/assets/",code="404"} 3',
    'azimuth_page_requests_total{path="/assets/",code="200"} 1',
  ]);
});

test('HEAD and OPTIONS are answered, and other methods are refused', async () => {
  const { get } = await startBuilt();
  const head = await get('/', {}, 'HEAD');
  expect([head.httpStatus, head.text, head.headers['content-length']]).toEqual([200, '', `${index.length}`]);
  expect((await get('/', {}, 'OPTIONS')).httpStatus).toBe(204);
  expect((await get('/', {}, 'POST')).httpStatus).toBe(405);
});

test('what was read once is served without the folder, by all scanners of the process', async () => {
  const { folder, get } = await startBuilt();
  await get('/');
  rmSync(folder, { recursive: true });
  expect((await get('/assets/app-1a2b.js')).text).toBe(script);
  const other = await start(folder);
  expect((await other.get('/')).text).toBe(index);
});

test('a GUI that is not built is HTTP 503 with what to do, until it is built', async () => {
  const folder = temporaryFolder();
  const { get } = await start(folder);
  const { httpStatus, headers, text } = await get('/');
  expect([httpStatus, headers['content-type']]).toEqual([503, 'text/plain; charset=utf-8']);
  expect(text).toContain('npm run build');
  expect(text).toContain('/docs');
  build(folder);
  expect((await get('/')).text).toBe(index);
});

test('a file that cannot be read is HTTP 500, is logged, and is tried again', async () => {
  const folder = temporaryFolder();
  build(folder);
  rmSync(join(folder, 'icon.svg'));
  mkdirSync(join(folder, 'icon.svg'));
  const { scanner, get } = await start(folder);
  expect((await get('/')).httpStatus).toBe(500);
  expect(JSON.stringify(scanner.log.lines)).toContain('EISDIR');
  rmSync(join(folder, 'icon.svg'), { recursive: true });
  writeFileSync(join(folder, 'icon.svg'), '<svg/>');
  expect((await get('/')).httpStatus).toBe(200);
});

test('a scanner without a GUI has nothing at /', async () => {
  const { get } = await start();
  for (const path of ['/', '/icon.svg', '/assets/app-1a2b.js']) {
    const { httpStatus, text } = await get(path);
    expect([httpStatus, text]).toEqual([404, `Nothing is at ${path}; the interface is under /api/\n`]);
  }
});
