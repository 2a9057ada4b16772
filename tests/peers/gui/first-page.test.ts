import { gzipSync } from 'node:zlib';
import { sharedScanner } from '@azimuth/test-support/scanner-process';
import { expect, test } from 'vitest';
import { sharedBrowser } from './browser.js';
import { blankPage, movingScene, openGui, strip } from './gui.js';

const scanner = sharedScanner(movingScene);
const browser = sharedBrowser();

const address = () => `http://127.0.0.1:${scanner().httpPort}/`;
/** Bytes, compressed. */
const mostOfFirstPage = 120 * 1024;

test('the first page loads little, and paints soon', async () => {
  const page = await blankPage(browser());
  const sizes = new Map<string, number>();
  page.on('response', async (response) => {
    const path = new URL(response.url()).pathname;
    if (path === '/' || path.startsWith('/assets/')) sizes.set(path, gzipSync(await response.body()).length);
  });
  await page.goto(address());
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.waitForLoadState('networkidle');
  const total = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  expect(sizes.size).toBeGreaterThan(3);
  expect(total).toBeLessThanOrEqual(mostOfFirstPage);
  const painted = await page.evaluate(
    'performance.getEntriesByName("first-contentful-paint")[0].startTime.toFixed(0)',
  );
  console.log(`first page: ${(total / 1024).toFixed(1)} KB compressed, first paint after ${painted} ms`);
});

test('the pages come with headers that forbid frames, other sources, and guessing of types', async () => {
  const { headers } = await scanner().client().send({ method: 'GET', path: '/' });
  const policy = String(headers['content-security-policy']);
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("script-src 'self';");
  expect(policy).toContain("style-src 'self';");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toMatch(/unsafe|\*|http:|https:/);
  expect(headers).toMatchObject({
    'x-frame-options': 'DENY',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  });
});

test('a browser that lacks what the pages need is told so, and which browsers have it', async () => {
  const page = await blankPage(browser(), { before: 'delete Array.prototype.toSorted' });
  await page.goto(address());
  await page.getByText('too old: it lacks Array.prototype.toSorted').waitFor();
  await page.getByText('Chrome 123, Firefox 124, Safari 17.5 or a newer one').waitFor();
  expect(await page.getByRole('navigation').count()).toBe(0);
});

test('a browser that does not understand the script, or runs none, says what the page needs', async () => {
  const page = await blankPage(browser(), { context: { javaScriptEnabled: false } });
  await page.goto(address());
  await page.getByText('It needs JavaScript, and Chrome 123').waitFor();
  expect(await page.getByRole('link', { name: '/docs' }).isVisible()).toBe(true);
});

test('the colours follow the system, until somebody chooses others in this browser', async () => {
  const page = await openGui(browser(), scanner(), { colours: 'dark' });
  await strip(page).getByText('Measuring').waitFor();
  const paper = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
  const dark = await paper();
  await page.getByLabel('Colours').selectOption('light');
  await expect.poll(paper).not.toBe(dark);
  const light = await paper();
  await page.reload();
  await strip(page).getByText('Measuring').waitFor();
  expect(await paper()).toBe(light);
});
