import { ScannerFolder } from '@azimuth/test-support/scanner-process';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { sharedBrowser } from './browser.js';
import { gone, logIn, movingScene, openGui, openPage, refusedWith, strip } from './gui.js';
import { guiCommand } from './gui-command.js';
import { closedPort, manyScanners, serialOf } from './many-scanners.js';

const browser = sharedBrowser();
const count = 200;
/** Those that never answer, and of which two are at ports where nothing is. */
const hanging = [1, 2, 50, 100, 150, 199];
const closed = 2;
/** ms that a page of so many may take for a step, also on a slow computer. */
const patience = 60_000;

/** Looks at the list at each of its changes, before any other script of the page. All columns are shown. */
const watch = `
  localStorage.setItem('scanner-columns', '');
  window.seen = { gone: 0, calm: 0, fewest: Infinity };
  addEventListener('DOMContentLoaded', () => new MutationObserver(() => {
    const rows = [...document.querySelectorAll('.scanners tbody tr')];
    if (rows.length === 0) return;
    seen.fewest = Math.min(seen.fewest, rows.length);
    seen.gone = Math.max(seen.gone, rows.filter(({ innerText }) => /Gone/.test(innerText)).length);
    const unknown = rows.some(({ innerText }) => /Connecting/.test(innerText));
    if (unknown && /None needs you/.test(document.querySelector('main').innerText)) seen.calm++;
  }).observe(document.body, { childList: true, subtree: true, characterData: true }));
`;

const rowsOf = (page: Page) => page.getByRole('main').locator('.scanners tbody tr');

test(`the list of ${count} scanners is right from the beginning: nothing is gone that answers, and no row of it stays empty`, async () => {
  const { urls } = await manyScanners(count);
  const page = await openGui(browser(), await guiCommand(...urls), { before: watch, patience });
  const sockets = new Set<string>();
  page.on('websocket', (socket) => sockets.add(socket.url()));
  const rows = rowsOf(page);
  await rows.first().waitFor();
  expect(await rows.count()).toBe(count / 2);
  await page.getByText(`${count} scanners. None needs you.`).waitFor();
  const texts = await rows.allInnerTexts();
  await shot(page, 'table-200');
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByText(`${count / 2 + 1} to ${count} of ${count}`).waitFor();
  texts.push(...(await rows.allInnerTexts()));
  expect(texts).toHaveLength(count);
  expect(texts.filter((text) => text.includes('…'))).toEqual([]);
  expect(texts.filter((text) => !/Measuring/.test(text) || !/2\.4\.4\.0R/.test(text))).toEqual([]);
  for (let number = 1; number <= count; number++) expect(texts.join()).toContain(serialOf(number));
  expect(await page.evaluate('[seen.gone, seen.calm, seen.fewest]')).toEqual([0, 0, count / 2]);
  // The server looks at them. The page itself is connected to those that are open, and none is.
  expect([...sockets]).toEqual([]);
});

test('scanners that are gone or hang do not keep the others from being shown', async () => {
  const { urls } = await manyScanners(count, hanging);
  const nowhere = await Promise.all(Array.from({ length: closed }, () => closedPort()));
  const dead = nowhere.map((port) => `http://127.0.0.1:${port}`);
  const page = await openGui(browser(), await guiCommand(...urls, ...dead), { before: watch, patience });
  const trouble = closed + hanging.length;
  await page.getByText(`${trouble} of ${count + closed} scanners need you.`, { exact: true }).waitFor();
  const good = page.getByRole('button', { name: /^Good/ });
  expect(await good.innerText()).toMatch(new RegExp(`${count - hanging.length}$`));
  const rows = rowsOf(page);
  expect(await rows.filter({ hasText: 'Gone' }).count()).toBe(trouble);
  expect(await page.evaluate('[seen.gone, seen.calm]')).toEqual([trouble, 0]);
  await good.click();
  await page.getByText(`1 to 100 of ${count - hanging.length}`).waitFor();
  expect(await rows.filter({ hasText: 'Measuring' }).count()).toBe(100);
});

test('in the live view of many, those that send nothing are one line, and which ones are shown is chosen and kept', async () => {
  const [first, second] = await Promise.all([
    new ScannerFolder().start(movingScene),
    new ScannerFolder().start(movingScene),
  ]);
  await first.client().write('LocationName', 'Door North');
  await second.client().write('LocationName', 'Door South');
  await second.client().call('mStopMeasure');
  const { urls } = await manyScanners(count);
  const two = [first, second].map(({ httpPort }) => `http://127.0.0.1:${httpPort}`);
  const page = await openGui(browser(), await guiCommand(...two, ...urls), {
    patience,
    // The many have no live view.
    expected: [refusedWith(404), ...gone],
  });
  const main = page.getByRole('main');
  await page.getByRole('button', { name: /^Good/ }).filter({ hasText: '201' }).waitFor();
  await page.getByLabel('Filter scanners').fill('door');
  await main.getByRole('link', { name: 'Door North' }).click();
  await openPage(page, 'Live view');
  await main.getByText('7 of 8').waitFor();
  const line = main.getByText(/send no scans: Door South, Gate 1, .* and 1 more/);
  await line.waitFor();
  await main.locator('.bottom-line').getByText('Door North').waitFor();
  // No banner stands above the points of the one that sends.
  expect(await main.locator('.stage .told').count()).toBe(0);
  await shot(page, 'live-many');
  await line.click();
  const why = main.getByRole('listitem').filter({ hasText: 'Door South' });
  await why.getByText('Measuring is switched off.').waitFor();
  await shot(page, 'live-many-open');
  await main.getByText('Scanners: 8 of 202').click();
  await main.getByLabel('Filter scanners').fill('north');
  await main.getByRole('button', { name: 'Show those found' }).click();
  await main.getByText('Scanners: 1 of 202').waitFor();
  await page.reload();
  await main.getByText('Scanners: 1 of 202').click();
  expect(await main.getByLabel('Door North').isChecked()).toBe(true);
  await main.getByLabel('Filter scanners').fill('south');
  await main.getByLabel('Door South').check();
  await main.getByText('Scanners: 2 of 202').waitFor();
  await main.getByText(/sends no scans: Door South/).waitFor();
});

test('the strip belongs to the scanner that is open, and says which one that is', async () => {
  const [first, second] = await Promise.all([
    new ScannerFolder().start(movingScene),
    new ScannerFolder().start(movingScene),
  ]);
  await first.client().write('LocationName', 'North');
  await second.client().write('LocationName', 'South');
  const urls = [first, second].map(({ httpPort }) => `http://127.0.0.1:${httpPort}`);
  const page = await openGui(browser(), await guiCommand(...urls));
  // On the list none is open: the changes of one of them would be taken for those of all.
  await strip(page).getByText('No scanner is open').waitFor();
  expect(
    await strip(page)
      .getByText(/unsaved|saved|Measuring/)
      .count(),
  ).toBe(0);
  await shot(page, 'table-two');
  await page.getByRole('button', { name: 'Cards' }).click();
  await page.getByRole('main').getByRole('listitem').filter({ hasText: 'North' }).waitFor();
  await shot(page, 'cards-two');
  await page.getByRole('main').getByRole('link', { name: 'South' }).click();
  await strip(page).getByText('South', { exact: true }).waitFor();
  await strip(page).getByText('1 unsaved').waitFor();
  await openPage(page, 'Live view');
  await strip(page).getByText('South', { exact: true }).waitFor();
  await logIn(page);
  await strip(page).getByRole('button', { name: 'Save' }).click();
  await strip(page).getByText('Everything is saved').waitFor();
  await shot(page, 'live-two');
  // A reload keeps the open scanner, and so does a link.
  await page.reload();
  await strip(page).getByText('South', { exact: true }).waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type('North');
  await page.getByRole('dialog', { name: 'Search' }).getByRole('link', { name: 'North' }).first().waitFor();
  await page.keyboard.press('Enter');
  await strip(page).getByText('North', { exact: true }).waitFor();
  await strip(page).getByText('1 unsaved').waitFor();
});

/** Keeps a picture for who looks at the pages, if a folder is named for it. */
async function shot(page: Page, name: string): Promise<void> {
  const folder = process.env.AZIMUTH_SHOTS;
  if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png` });
}
