import { sharedScanner } from '@azimuth/test-support/scanner-process';
import { beforeEach, expect, test } from 'vitest';
import { sharedBrowser } from './browser.js';
import { logIn, movingScene, openGui, strip } from './gui.js';
import { ways } from './ways.js';

const scanner = sharedScanner(movingScene);
const browser = sharedBrowser();

beforeEach(async () => {
  await scanner().client().write('LocationName', 'Hall 1');
  await scanner().client().call('WriteEeprom');
});

const name = () => scanner().client().value('LocationName');

test.each(ways)('a parameter is written, marked as not saved, and undone, $name', async (way) => {
  const page = await openGui(browser(), await way.to(scanner()), { at: 'parameters/LocationName' });
  await logIn(page);
  const before = await name();
  const form = page.getByRole('form', { name: 'LocationName' });
  await form.getByRole('textbox').fill('Gate 3');
  expect(await name()).toBe(before);
  await page.keyboard.press('Enter');
  await strip(page).getByText('1 unsaved').waitFor();
  expect(await name()).toBe('Gate 3');
  await expect.poll(() => page.title()).toContain('Gate 3');
  await strip(page).getByRole('button', { name: 'Discard …' }).click();
  const question = page.getByRole('dialog', { name: 'Discard all unsaved changes?' });
  expect(await question.innerText()).toContain(`LocationName: Gate 3 → ${before}`);
  await question.getByRole('button', { name: 'Discard all' }).click();
  await strip(page).getByText('Everything is saved').waitFor();
  expect(await name()).toBe(before);
});

test.each(ways)('a saved parameter survives a power cut, $name', async (way) => {
  const page = await openGui(browser(), await way.to(scanner()), { at: 'parameters/LocationName' });
  await logIn(page);
  await page.getByRole('form', { name: 'LocationName' }).getByRole('textbox').fill('Gate 4');
  await page.keyboard.press('Enter');
  await strip(page).getByRole('button', { name: 'Save' }).click();
  await strip(page).getByText('Everything is saved').waitFor();
  await page.close();
  await scanner().powerCycle();
  expect(await name()).toBe('Gate 4');
});

test.each(ways)('what somebody else writes is shown at once, and counts as not saved, $name', async (way) => {
  const page = await openGui(browser(), await way.to(scanner()), { at: 'parameters/LocationName' });
  await strip(page).getByText('Everything is saved').waitFor();
  await scanner().client().write('LocationName', 'Gate 5');
  await page.getByRole('form', { name: 'LocationName' }).getByText('Gate 5').waitFor();
  await expect.poll(() => strip(page).innerText()).toContain('1 unsaved');
});

test('a value out of its range is told at the control, and not sent', async () => {
  const page = await openGui(browser(), scanner(), { at: 'parameters/TSCTCupdatetime' });
  await logIn(page);
  const writes: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST' && !request.url().endsWith('getChallenge')) writes.push(request.url());
  });
  const form = page.getByRole('form', { name: 'TSCTCupdatetime' });
  const box = form.getByRole('textbox').or(form.getByRole('spinbutton'));
  await box.fill('4000');
  await box.press('Enter');
  await form.getByRole('alert').filter({ hasText: '3600' }).waitFor();
  expect(await box.getAttribute('aria-invalid')).toBe('true');
  expect(writes).toEqual([]);
});

test.each(ways)(
  'what only the scanner can refuse is told at the member that is wrong, $name',
  async (way) => {
    const page = await openGui(browser(), await way.to(scanner()), { at: 'parameters/PortConfiguration' });
    await logIn(page);
    const form = page.getByRole('form', { name: 'PortConfiguration' });
    await form.getByRole('button', { name: 'Edit PortConfiguration' }).click();
    await form.getByRole('listitem').nth(2).locator('summary').first().click();
    const sources = form
      .getByRole('group', { name: 'PortConfiguration 3' })
      .getByRole('group', { name: 'Sources' });
    await sources.getByRole('button', { name: 'Add one' }).click();
    await sources.getByLabel('Name').fill('ABCD');
    const refused = page.waitForResponse(
      (response) => response.request().method() === 'POST' && response.url().endsWith('/PortConfiguration'),
    );
    await sources.getByLabel('Name').press('Enter');
    expect(await (await refused).headerValue('azimuth-detail')).toContain('PortConfiguration[2]');
    await sources.getByRole('alert').filter({ hasText: 'ABCD' }).waitFor();
    expect(await sources.getByLabel('Name').getAttribute('aria-invalid')).toBe('true');
  },
);
