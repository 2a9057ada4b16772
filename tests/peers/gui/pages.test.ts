import { ScannerFolder, sharedScanner } from '@azimuth/test-support/scanner-process';
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { sharedBrowser } from './browser.js';
import { isShown, logIn, movingScene, openGui, openPage, pageLinks, pageTitles, strip } from './gui.js';

const scanner = sharedScanner(movingScene);
const browser = sharedBrowser();

/** The fewest pages that a scanner with everything has: the walk through them must not end early. */
const fewest = 6;

test('every page opens by its link, has one main heading, and is marked in the navigation', async () => {
  const page = await openGui(browser(), scanner());
  const titles = await titlesOf(page);
  for (const title of titles) {
    await openPage(page, title);
    await pageLinks(page).and(page.locator('[aria-current="page"]')).filter({ hasText: title }).waitFor();
  }
});

test('every page opens by two keys, which its link tells', async () => {
  const page = await openGui(browser(), scanner());
  for (const link of await pageLinks(page).all()) {
    const title = await link.innerText();
    const keys = await link.getAttribute('aria-keyshortcuts');
    expect(keys, title).toMatch(/^g [a-z0-9]$/);
    for (const key of (keys ?? '').split(' ')) await page.keyboard.press(key);
    await isShown(page, title);
  }
});

test('no two pages have the same keys', async () => {
  const page = await openGui(browser(), scanner());
  const links = await pageLinks(page).all();
  const keys = await Promise.all(links.map((link) => link.getAttribute('aria-keyshortcuts')));
  expect(new Set(keys).size).toBe(keys.length);
});

test('a long word in the name of a scanner or a file is wrapped on a phone, not cut off', async () => {
  const named = await new ScannerFolder().start(movingScene);
  await named.client().write('LocationName', 'W'.repeat(32));
  const page = await openGui(browser(), named, { screen: 'phone' });
  const title = page.getByRole('main').getByRole('heading', { level: 1, name: /^W+$/ });
  await title.waitFor();
  expect(await hiddenWidth(title)).toBe(0);
  await logIn(page);
  await openPage(page, 'Firmware');
  const file = {
    name: `${'W'.repeat(80)}.spk`,
    mimeType: 'application/octet-stream',
    buffer: Buffer.alloc(9),
  };
  await page.locator('input[type="file"]').setInputFiles(file);
  await page.getByRole('button', { name: 'Install …' }).click();
  const question = page.getByRole('dialog').getByRole('heading', { name: /^Install W+/ });
  await question.waitFor();
  expect(await hiddenWidth(question)).toBe(0);
  expect(await hiddenWidth(page.getByRole('main').locator('.file-name'))).toBe(0);
});

test('the list of what will change is wrapped on a phone: the new values are in sight', async () => {
  const changed = await new ScannerFolder().start(movingScene);
  await changed.client().write('LocationName', 'Gate 3 in the very long hall');
  const page = await openGui(browser(), changed, { screen: 'phone' });
  await logIn(page);
  // The strip has no room for it: its number of changes leads to where they are.
  await strip(page).getByRole('link', { name: '1 unsaved' }).click();
  await page.getByRole('main').getByRole('button', { name: 'Discard all …' }).click();
  const lines = page.getByRole('dialog').locator('pre');
  await lines.waitFor();
  expect(await hiddenWidth(lines)).toBe(0);
});

test('what is typed right after the key that opens the search is in it', async () => {
  const page = await openGui(browser(), scanner());
  // Asks where the next key would go before the page has had time to draw.
  const focused = await page.evaluate(`(async () => {
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key: '/', bubbles: true }));
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
    return document.activeElement.type;
  })()`);
  expect(focused).toBe('search');
});

test.each(['desk', 'phone'] as const)('on a %s, the search shows all of its lines', async (screen) => {
  const page = await openGui(browser(), scanner(), { screen });
  await page.getByRole('button', { name: 'Search' }).click();
  await page.keyboard.type('time');
  const search = page.getByRole('dialog', { name: 'Search' });
  await search.getByText(/found\.$/).waitFor();
  expect(await hiddenWidth(search)).toBe(0);
});

test('a page begins at its top, wherever the page before was scrolled to', async () => {
  const page = await openGui(browser(), scanner());
  await openPage(page, 'Parameters');
  await page.getByRole('form', { name: 'LocationName' }).waitFor();
  await page.getByRole('main').evaluate((main) => main.scrollTo({ top: 900, behavior: 'instant' }));
  await openPage(page, 'Overview');
  expect(await page.getByRole('main').evaluate(({ scrollTop }) => scrollTop)).toBe(0);
});

test('a link to one parameter scrolls the page to it, and nothing around the page', async () => {
  const page = await openGui(browser(), scanner(), { screen: 'phone', at: 'parameters/TSCTCtimezone' });
  await page.getByRole('form', { name: 'TSCTCtimezone' }).waitFor();
  const main = page.getByRole('main');
  await expect.poll(() => main.evaluate(({ scrollTop }) => scrollTop)).toBeGreaterThan(0);
  expect(await page.evaluate('document.documentElement.scrollTop + document.body.scrollTop')).toBe(0);
  await page.getByRole('button', { name: 'Menu' }).waitFor();
});

test('the name of the scanner is in sight above the pages', async () => {
  const page = await openGui(browser(), scanner());
  const box = await page.locator('.nav .name').boundingBox();
  expect(box?.height).toBeGreaterThan(10);
});

test('a page that a release does not have says so in place of a form that cannot work', async () => {
  const old = await new ScannerFolder().start([...movingScene, '--firmware', '1.4.0']);
  const page = await openGui(browser(), old, { at: 'certificates' });
  await page.getByRole('main').getByText('This scanner does not have it: it runs release 1.4.0').waitFor();
  await page.getByRole('link', { name: 'To the overview' }).click();
  await isShown(page, 'Overview');
});

test('a question mark shows all keys, and Escape closes them', async () => {
  const page = await openGui(browser(), scanner());
  const titles = await titlesOf(page);
  await page.keyboard.press('?');
  const help = page.getByRole('dialog', { name: 'Keys' });
  for (const title of titles) await help.getByText(title, { exact: true }).first().waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(() => help.count()).toBe(0);
});

test('the search finds a page and a parameter, by keys alone', async () => {
  const page = await openGui(browser(), scanner());
  const search = page.getByRole('dialog', { name: 'Search' });
  await page.keyboard.press('/');
  await page.keyboard.type('live');
  await search.getByRole('link', { name: /^Live view/ }).waitFor();
  await page.keyboard.press('Enter');
  await isShown(page, 'Live view');
  await page.keyboard.press('/');
  await page.keyboard.type('time zone');
  await search.getByRole('link', { name: /^TSCTCtimezone/ }).waitFor();
  await page.keyboard.press('Enter');
  await isShown(page, 'Parameters');
  await page.getByRole('form', { name: 'TSCTCtimezone' }).waitFor();
});

test('the search finds a value by its name and a method by what it does, and what was found has the focus', async () => {
  const page = await openGui(browser(), scanner());
  await logIn(page);
  const search = page.getByRole('dialog', { name: 'Search' });
  await page.keyboard.press('/');
  await page.keyboard.type('TX_IP_DHCP');
  await search.getByRole('link', { name: /^EtherAddressingMode/ }).waitFor();
  await page.keyboard.press('Enter');
  const form = page.getByRole('form', { name: 'EtherAddressingMode' });
  const hasFocus = () => form.evaluate((element) => element.contains(element.ownerDocument.activeElement));
  await expect.poll(hasFocus).toBe(true);
  await page.getByRole('heading', { level: 1 }).click();
  await page.keyboard.press('/');
  await page.keyboard.type('not stored are lost');
  await search.getByRole('link', { name: /^SoftReset/ }).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await isShown(page, 'Restart');
  await page.keyboard.press('/');
  await page.keyboard.type('getChallenge');
  await search.getByText('by azimuth call getChallenge').waitFor();
});

/** How many pixels of something are out of sight at its right. */
const hiddenWidth = (place: Locator): Promise<number> =>
  place.evaluate(({ scrollWidth, clientWidth }) => Math.max(0, scrollWidth - clientWidth));

async function titlesOf(page: Page): Promise<readonly string[]> {
  const titles = await pageTitles(page);
  expect(titles.length).toBeGreaterThanOrEqual(fewest);
  return titles;
}

test('an address of no page says so, and leads to the first page', async () => {
  const page = await openGui(browser(), scanner(), { at: 'lively/view' });
  await page.getByRole('heading', { level: 1, name: 'No such page' }).waitFor();
  await page.getByText('The address names the page “lively”').waitFor();
  await page.getByRole('link', { name: 'To the first page' }).click();
  await isShown(page, 'Overview');
});
