import type { SiteScanner } from '@azimuth/http';
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { sharedBrowser } from './browser.js';
import { fakeSite, rowOf } from './fake-site.js';
import { gone, openGui, refusedWith } from './gui.js';

const browser = sharedBrowser();
const patience = 30_000;

const hot: Partial<SiteScanner> = { state: 'Too hot', severity: 'warn', trouble: ['It is too hot'] };
const lost: Partial<SiteScanner> = {
  ...{ state: 'Gone', severity: 'bad', trouble: ['It does not answer', 'Scan data is lost'] },
  ...{ temperature: undefined, scans: undefined, unsaved: undefined, clockOffset: undefined },
};

/** Ten thousand scanners, of which every 500th is hot and two are gone. */
const thousands = Array.from({ length: 10_000 }, (_, index) => {
  const troubleSince = Date.now() - 3 * 3_600_000;
  if (index === 4321 || index === 777) return rowOf(index, { ...lost, troubleSince });
  return rowOf(index, index % 500 === 499 ? { ...hot, troubleSince, temperature: 81 } : {});
});

const rows = (page: Page): Locator => page.getByRole('main').locator('tbody tr');
const names = (page: Page) => rows(page).locator('th').allInnerTexts();

test('ten thousand scanners are a page of a hundred, trouble first, and the page stays light', async () => {
  const site = await fakeSite(thousands);
  const page = await openGui(browser(), site.url, { patience });
  await page.getByText('22 of 10000 scanners need you.', { exact: true }).waitFor();
  expect(await rows(page).count()).toBe(100);
  expect((await names(page)).slice(0, 3)).toEqual(['Gate 777', 'Gate 4321', 'Gate 499']);
  await rows(page).first().getByText('It does not answer').waitFor();
  await rows(page).first().getByText('+1 more').waitFor();
  await shot(page, 'site-light');
  const before = await heapOf(page);
  const next = page.getByRole('button', { name: 'Next' });
  for (let part = 1; part < 20; part++) {
    await next.click();
    await page.getByText(`${part * 100 + 1} to ${part * 100 + 100} of 10000`).waitFor();
    expect(await rows(page).count()).toBe(100);
  }
  // MB: what was in sight before is forgotten.
  expect(await heapOf(page)).toBeLessThan(before + 8_000_000);
  const previous = page.getByRole('button', { name: 'Previous' });
  await previous.click();
  await page.getByText('1801 to 1900 of 10000').waitFor();
});

test('the list is filtered by words, severity and group, and sorted by any column', async () => {
  const site = await fakeSite(thousands);
  const page = await openGui(browser(), site.url, { patience });
  await page.getByLabel('Filter scanners').fill('north 4321');
  await page.getByText('All 1 shown').waitFor();
  expect(await names(page)).toEqual(['Gate 4321']);
  await page.getByLabel('Filter scanners').fill('nowhere');
  await page.getByText('No scanner is like this.').waitFor();
  await page.getByRole('button', { name: 'Show all' }).click();
  await page.getByText('1 to 100 of 10000').waitFor();
  await page.getByRole('button', { name: /^Warning/ }).click();
  await page.getByText('All 20 shown').waitFor();
  await page.getByRole('button', { name: /^Hall 3/ }).click();
  await expect
    .poll(async () => new Set(await rows(page).locator('.group-cell').allInnerTexts()))
    .toEqual(new Set(['Hall 3']));
  await page.getByRole('button', { name: /^Warning/ }).click();
  await page.getByRole('button', { name: /^Hall 3/ }).click();
  const name = page.getByRole('columnheader', { name: 'Name' });
  await name.getByRole('button').click();
  await expect.poll(async () => (await names(page))[0]).toBe('Gate 0');
  expect(await name.getAttribute('aria-sort')).toBe('ascending');
  await name.getByRole('button').click();
  await expect.poll(async () => (await names(page))[0]).toBe('Gate 9999');
  expect(await name.getAttribute('aria-sort')).toBe('descending');
});

test('columns are chosen and kept, and what is not known is empty', async () => {
  const site = await fakeSite([rowOf(1), rowOf(2, lost)]);
  const page = await openGui(browser(), site.url, { patience });
  const heads = () => page.getByRole('columnheader').allInnerTexts();
  await rows(page).first().waitFor();
  expect(await heads()).not.toContain('Serial number');
  await page.getByText('Columns', { exact: true }).click();
  await page.getByLabel('Serial number').check();
  await page.getByRole('checkbox', { name: 'Group' }).uncheck();
  await page.reload();
  await rows(page).first().waitFor();
  expect(await heads()).toContain('Serial number');
  expect(await heads()).not.toContain('Group');
  const texts = await rows(page).allInnerTexts();
  expect(texts.join()).not.toMatch(/…|undefined|NaN|null/);
  expect(await rows(page).first().locator('.temperature-cell').innerText()).toBe('');
});

test('rows stay under the pointer with newest values, and are sorted anew when it has left', async () => {
  const three = [rowOf(1), rowOf(2), rowOf(3)];
  const site = await fakeSite(three);
  const page = await openGui(browser(), site.url, { patience });
  await rows(page).first().waitFor();
  await rows(page).nth(0).hover();
  site.show([rowOf(1), rowOf(2), rowOf(3, { ...lost, troubleSince: Date.now() })]);
  await rows(page).nth(2).getByText('Gone').waitFor();
  expect(await names(page)).toEqual(['Gate 1', 'Gate 2', 'Gate 3']);
  await page.getByText('the order has changed').waitFor();
  await page.getByRole('heading', { level: 1 }).hover();
  await expect.poll(() => names(page)).toEqual(['Gate 3', 'Gate 1', 'Gate 2']);
});

test('arrows go from row to row, and Enter opens one, which the address keeps', async () => {
  const site = await fakeSite([rowOf(1), rowOf(2), rowOf(3)]);
  const page = await openGui(browser(), site.url, { patience, expected: [...gone, refusedWith(502)] });
  await rows(page).first().getByRole('link').focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.url()).toMatch(/#\/s\/2\/@\/overview$/);
  const navigation = page.getByRole('navigation', { name: 'Pages' });
  await navigation.getByText('Gate 2').waitFor();
  await page.reload();
  await navigation.getByText('Gate 2').waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type('2400003');
  await page.getByRole('dialog', { name: 'Search' }).getByRole('link', { name: 'Gate 3' }).waitFor();
  await page.keyboard.press('Enter');
  await expect.poll(() => page.url()).toMatch(/#\/s\/3\/@\/overview$/);
  await navigation.getByRole('link', { name: 'All scanners' }).click();
  await rows(page).first().waitFor();
});

test('a list that is none, or a server that is gone, is said once, and the rows stay', async () => {
  const site = await fakeSite([rowOf(1), rowOf(2)]);
  const page = await openGui(browser(), site.url, { patience });
  await rows(page).first().waitFor();
  for (const bad of ['{"scanners": [{}]}', '<html>', '[]']) {
    site.answer(bad);
    const told = page.getByRole('alert').filter({ hasText: 'The server of this page gives no list' });
    await told.waitFor();
    expect(await told.count()).toBe(1);
    expect(await names(page)).toEqual(['Gate 1', 'Gate 2']);
    site.answer(undefined);
    await told.waitFor({ state: 'detached' });
  }
});

test('on a phone each scanner has two lines, and nothing scrolls sideways', async () => {
  const site = await fakeSite(thousands.slice(0, 800));
  const page = await openGui(browser(), site.url, { patience, screen: 'phone', colours: 'dark' });
  await rows(page).first().getByText('It does not answer').waitFor();
  await shot(page, 'site-phone-dark');
  const wide = await page.evaluate(
    '[...document.querySelectorAll("main, main *")].filter((one) => one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).overflowX !== "hidden" && getComputedStyle(one).overflowX !== "visible").length',
  );
  expect(wide).toBe(0);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
});

/** Bytes of the heap of a page, after its garbage was collected. */
async function heapOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  await session.detach();
  return usedSize;
}

/** Keeps a picture for who looks at the pages, if a folder is named for it. */
async function shot(page: Page, name: string): Promise<void> {
  const folder = process.env.AZIMUTH_SHOTS;
  if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png` });
}
