import { bundleOf, issue } from '@azimuth/test-support/certificates';
import { expectData } from '@azimuth/test-support/envelope';
import { ScannerFolder } from '@azimuth/test-support/scanner-process';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { sharedBrowser } from './browser.js';
import {
  gone,
  isShown,
  logIn,
  movingScene,
  openGui,
  openPage,
  pageTitles,
  refusedWith,
  strip,
} from './gui.js';
import { guiCommand } from './gui-command.js';
import { withoutExtensions } from './without-extensions.js';

const browser = sharedBrowser();

/** Opens every page of the navigation. */
async function walk(page: Page): Promise<void> {
  for (const title of await pageTitles(page)) await openPage(page, title);
}

test('a scanner of the oldest release and the smallest variant has every page that it needs, without an error', async () => {
  const scanner = await new ScannerFolder().start([
    ...movingScene,
    '--firmware',
    '1.4.0',
    '--variant',
    'basic',
  ]);
  // The page finds out that there is no field evaluation by asking for it.
  const page = await openGui(browser(), scanner, { expected: [refusedWith(404)] });
  await strip(page).getByText('Measuring').waitFor();
  await walk(page);
  await page.goto(`http://127.0.0.1:${scanner.httpPort}/#/parameters/LocationName`);
  await logIn(page);
  await page.getByRole('form', { name: 'LocationName' }).getByRole('textbox').fill('Gate 3');
  await page.keyboard.press('Enter');
  await strip(page).getByText('1 unsaved').waitFor();
  expect(await scanner.client().value('LocationName')).toBe('Gate 3');
  // What came later is not offered.
  expect(await page.getByRole('form', { name: 'ROSInterfaceNamespace' }).count()).toBe(0);
});

test('a picoScan120 has every page that it needs, without an error, and no profiles and filters on them', async () => {
  const scanner = await new ScannerFolder().start([...movingScene, '--type', 'picoScan120']);
  const page = await openGui(browser(), scanner, { expected: [refusedWith(404)] });
  await strip(page).getByText('Measuring').waitFor();
  await walk(page);
  await openPage(page, 'Parameters');
  await page.getByRole('form', { name: 'LFPparticle' }).waitFor();
  for (const name of ['PerformanceProfileNumber', 'FREchoFilter', 'LFPangleRangeFilter']) {
    expect(await page.getByRole('form', { name }).count(), name).toBe(0);
  }
});

test('a scanner without additions of Azimuth is read every few seconds, which the strip says, and can be set up', async () => {
  const scanner = await new ScannerFolder().start(movingScene);
  const url = await guiCommand(await withoutExtensions(scanner.httpPort));
  // Browsers report what such a scanner lacks.
  const expected = [refusedWith(404), /WebSocket connection to .* failed/];
  const page = await openGui(browser(), url, { expected });
  await strip(page).getByText('read every 3 s').waitFor();
  await walk(page);
  await openPage(page, 'Parameters');
  await logIn(page);
  const form = page.getByRole('form', { name: 'LocationName' });
  await form.getByRole('textbox').fill('Gate 3');
  await page.keyboard.press('Enter');
  await expect.poll(() => scanner.client().value('LocationName')).toBe('Gate 3');
  // A change by somebody else is found by the next reading.
  await scanner.client().write('LocationName', 'Gate 4');
  await expect.poll(() => page.title(), { timeout: 10_000 }).toContain('Gate 4');
});

test('the pages work over HTTPS', async () => {
  const scanner = await new ScannerFolder().start(movingScene);
  const leaf = issue();
  expectData(await scanner.client().call('setCertificateBundle', bundleOf([leaf])), {
    success: true,
    errorCode: { error: 'None' },
  });
  const url = `https://127.0.0.1:${scanner.httpsPort}/`;
  const page = await openGui(browser(), url, { context: { ignoreHTTPSErrors: true } });
  await strip(page).getByText('Measuring').waitFor();
  await logIn(page);
  await scanner.client().write('LocationName', 'Gate 3');
  await expect.poll(() => page.title()).toContain('Gate 3');
});

test('azimuth gui shows several scanners, each with its own values and its own login', async () => {
  const [first, second] = await Promise.all([
    new ScannerFolder().start(movingScene),
    new ScannerFolder().start(movingScene),
  ]);
  await first.client().write('LocationName', 'North');
  await second.client().write('LocationName', 'South');
  const urls = [first, second].map(({ httpPort }) => `http://127.0.0.1:${httpPort}`);
  const page = await openGui(browser(), await guiCommand(...urls));
  await page.getByRole('main').getByRole('link', { name: 'North' }).click();
  await expect.poll(() => page.title()).toContain('North');
  await logIn(page);
  await page
    .getByRole('navigation')
    .getByRole('link', { name: /All scanners/ })
    .click();
  await page.getByRole('main').getByRole('link', { name: 'South' }).click();
  await expect.poll(() => page.title()).toContain('South');
  await strip(page).getByRole('button', { name: 'Log in' }).waitFor();
  await openPage(page, 'Parameters');
  await logIn(page);
  await page.getByRole('form', { name: 'LocationName' }).getByRole('textbox').fill('South-east');
  await page.keyboard.press('Enter');
  await expect.poll(() => second.client().value('LocationName')).toBe('South-east');
  expect(await first.client().value('LocationName')).toBe('North');
});

test('azimuth gui lists several scanners, those with trouble first, and opens one', async () => {
  const [first, second] = await Promise.all([
    new ScannerFolder().start(movingScene),
    new ScannerFolder().start(movingScene),
  ]);
  await first.client().write('LocationName', 'North');
  await second.client().write('LocationName', 'South');
  const urls = [first, second].map(({ httpPort }) => `http://127.0.0.1:${httpPort}`);
  const expected = [...gone, refusedWith(502)];
  const page = await openGui(browser(), await guiCommand(...urls), { expected });
  const rows = page.getByRole('main').getByRole('row');
  const names = () => rows.getByRole('link').allInnerTexts();
  await page.getByText('2 scanners. None needs you.').waitFor();
  await expect.poll(names).toEqual(['North', 'South']);
  await second.kill();
  await page.getByText('1 of 2 scanners needs you.').waitFor({ timeout: 30_000 });
  await expect.poll(names).toEqual(['South', 'North']);
  await rows.filter({ hasText: 'South' }).getByText('Gone').waitFor();
  await page.getByRole('link', { name: 'South' }).click();
  await isShown(page, 'Overview');
  await expect.poll(() => page.title()).toContain('South');
});

test('a scanner that has never answered is called by its address, and no fact of it stands without a value', async () => {
  const scanner = await new ScannerFolder().start(movingScene);
  const address = `127.0.0.1:${scanner.httpPort}`;
  await scanner.stop();
  const url = await guiCommand(`http://${address}`);
  const page = await openGui(browser(), url, { at: 'overview', expected: [...gone, refusedWith(502)] });
  await strip(page).getByText('Gone').waitFor();
  await page.getByRole('main').getByRole('heading', { level: 1, name: address }).waitFor();
  await expect.poll(() => page.title()).toContain(address);
  const why = await strip(page).getByRole('alert').innerText();
  expect(why).toContain(address);
  expect(why).not.toContain(new URL(url).host);
  const facts = await page.getByRole('main').locator('dd').allInnerTexts();
  expect(facts.filter((text) => text.trim() === '')).toEqual([]);
});

test('a scanner that does not tell what is unsaved can be saved in the strip, which counts the changes of this visit', async () => {
  const folder = new ScannerFolder();
  const scanner = await folder.start([...movingScene, '--as-device']);
  const page = await openGui(browser(), await guiCommand(`http://127.0.0.1:${scanner.httpPort}`), {
    at: 'parameters/LocationName',
    expected: [refusedWith(404), ...gone],
  });
  await strip(page).getByRole('button', { name: 'Save' }).waitFor();
  await logIn(page);
  await page.getByRole('form', { name: 'LocationName' }).getByRole('textbox').fill('Gate 3');
  await page.keyboard.press('Enter');
  await strip(page).getByText('1 changed here').waitFor();
  await strip(page).getByRole('button', { name: 'Save' }).click();
  await strip(page).getByText('changed here').waitFor({ state: 'detached' });
  await page.close();
  await scanner.kill();
  const again = await folder.start([...movingScene, '--as-device']);
  expect(await again.client().value('LocationName')).toBe('Gate 3');
});
