import { service } from '@azimuth/test-support/client';
import { sharedScanner } from '@azimuth/test-support/scanner-process';
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { sharedBrowser } from './browser.js';
import { isShown, movingScene, openGui, strip } from './gui.js';

const scanner = sharedScanner(movingScene);
const browser = sharedBrowser();

/** Controls of the largest page. */
const mostTabs = 200;

/** Presses Tab until this has the focus, and sees where the focus is all the way. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let pressed = 0; pressed < mostTabs; pressed++) {
    await page.keyboard.press('Tab');
    // Looked at in one go: an element may lose the focus between two looks, when its value comes.
    const { outline, name } = await page.evaluate(() => {
      const focused = document.activeElement ?? document.body;
      return { outline: getComputedStyle(focused).outlineStyle, name: focused.tagName };
    });
    if (name !== 'BODY' && name !== 'MAIN') expect(outline, `outline of a ${name}`).not.toBe('none');
    if (await target.evaluate((element) => element === element.ownerDocument.activeElement)) return;
  }
  throw new Error(`Tab does not reach ${target}`);
}

test('with keys alone, a parameter is found, a person logs in, writes it, and saves', async () => {
  const page = await openGui(browser(), scanner());
  await page.keyboard.press('/');
  await page.keyboard.type('LocationName');
  await page
    .getByRole('dialog', { name: 'Search' })
    .getByRole('link', { name: /^LocationName/ })
    .waitFor();
  await page.keyboard.press('Enter');
  await isShown(page, 'Parameters');
  await tabTo(page, page.getByRole('main').getByRole('button', { name: 'Log in', exact: true }));
  await page.keyboard.press('Enter');
  await tabTo(page, page.getByLabel('Password'));
  await page.keyboard.type(service.password);
  await page.keyboard.press('Enter');
  await strip(page).getByRole('button', { name: 'Service' }).waitFor();
  await tabTo(page, page.getByRole('form', { name: 'LocationName' }).getByRole('textbox'));
  await page.keyboard.press('Control+A');
  await page.keyboard.type('Gate 3');
  await page.keyboard.press('Enter');
  await expect.poll(() => scanner().client().value('LocationName')).toBe('Gate 3');
  await tabTo(page, strip(page).getByRole('button', { name: 'Save' }));
  await page.keyboard.press('Enter');
  await strip(page).getByText('Everything is saved').waitFor();
});

test('a page that is opened by keys has the focus: Tab goes to its first control', async () => {
  const page = await openGui(browser(), scanner());
  await page.keyboard.press('g');
  await page.keyboard.press('r');
  await isShown(page, 'Restart');
  await page.keyboard.press('Tab');
  expect(await page.evaluate('document.activeElement.closest("main") !== null')).toBe(true);
});

test('Escape closes the search at once, whether something is typed or not', async () => {
  const page = await openGui(browser(), scanner());
  const search = page.getByRole('dialog', { name: 'Search' });
  for (const typed of ['', 'Location']) {
    await page.keyboard.press('/');
    await search.getByRole('searchbox').fill(typed);
    await page.keyboard.press('Escape');
    await expect.poll(() => search.count()).toBe(0);
  }
});
