import { ContaminationStrategy, ContaminationThreshold } from '@azimuth/model';
import { expectData, expectDone } from '@azimuth/test-support/envelope';
import { object } from '@azimuth/test-support/json';
import { ScannerFolder } from '@azimuth/test-support/scanner-process';
import { expect, test } from 'vitest';
import { sharedBrowser } from './browser.js';
import { isShown, logIn, movingScene, openGui, openPage, strip } from './gui.js';

const browser = sharedBrowser();

test('the first page says what to do next, and each step goes when it is done', async () => {
  const scanner = await new ScannerFolder().start(movingScene);
  const page = await openGui(browser(), scanner, { at: 'overview' });
  await logIn(page);
  const steps = page.getByRole('region', { name: 'What to do next' }).getByRole('listitem');
  const step = (title: string) => steps.filter({ hasText: title });
  await step('Give Service a password of your own').waitFor();
  await step('Say where the scan data goes').waitFor();
  await scanner.client().write('ScanDataEnable', true);
  await step('Say where the scan data goes').waitFor({ state: 'detached' });
  await step('Save 1 change').getByText('ScanDataEnable').waitFor();
  await step('Save 1 change').getByRole('button', { name: 'Save' }).click();
  await step('Save 1 change').waitFor({ state: 'detached' });
  await strip(page).getByText('Everything is saved').waitFor();
  await step('Give the scanner a name').getByRole('link', { name: 'Name it' }).click();
  await isShown(page, 'Parameters');
  await page.getByRole('form', { name: 'LocationName' }).getByRole('textbox').waitFor();
});

test('trouble comes first: a scanner that does not measure has the button that starts it', async () => {
  const scanner = await new ScannerFolder().start(movingScene);
  expectData(await scanner.client().call('mStopMeasure'), { ErrorCode: 0 });
  const page = await openGui(browser(), scanner, { at: 'overview' });
  await logIn(page);
  const steps = page.getByRole('region', { name: 'What to do next' }).getByRole('listitem');
  await expect.poll(() => steps.first().innerText()).toContain('The scanner does not measure');
  await steps.first().getByRole('button', { name: 'Start measuring' }).click();
  await strip(page).getByText('Measuring', { exact: true }).waitFor();
  await steps.filter({ hasText: 'does not measure' }).waitFor({ state: 'detached' });
});

test('scan data that nobody takes is a step, and every page says so with the counts of the scanner', async () => {
  const scanner = await new ScannerFolder().start(movingScene);
  const client = scanner.client();
  const page = await openGui(browser(), scanner, { at: 'overview' });
  await strip(page).getByText('Scan data: off').waitFor();
  // Nobody listens at the port of discarded datagrams.
  expectDone(await client.write('ScanDataEthSettings', { Protocol: 1, IPAddress: [127, 0, 0, 1], Port: 9 }));
  expectDone(await client.write('ScanDataEnable', true));
  const steps = page.getByRole('region', { name: 'What to do next' }).getByRole('listitem');
  await steps.filter({ hasText: 'The scan data does not arrive' }).getByText('Nobody listens at').waitFor();
  await openPage(page, 'Time');
  await strip(page).getByRole('link', { name: 'Refused' }).waitFor();
  await expect
    .poll(() => strip(page).innerText())
    .toMatch(/127\.0\.0\.1:9\s+Compact\s+\d+\/s, [1-9]\d* refused/);
});

test('the lamps are shown as they shine, and a button makes them blink', async () => {
  const scanner = await new ScannerFolder().start(movingScene);
  const page = await openGui(browser(), scanner, { at: 'overview' });
  await logIn(page);
  const state = page.getByRole('region', { name: 'State', exact: true });
  const lamps = async () => (await state.getByRole('definition').allInnerTexts()).join('; ');
  await expect.poll(lamps).toContain('green, on');
  await state.getByRole('button', { name: /^Find it/ }).click();
  await expect.poll(lamps).toContain('blinking');
  await scanner.advance(21_000);
  await expect.poll(lamps).not.toContain('blinking');
});

test('dirt shows in its sector of the front screen, in words and as a step', async () => {
  const scanner = await new ScannerFolder().start(movingScene);
  const client = scanner.client();
  const page = await openGui(browser(), scanner, { at: 'overview' });
  const picture = page.getByRole('img', { name: 'The scanner from above' });
  const words = () => picture.getAttribute('aria-label');
  await expect.poll(words).toContain('Nothing watches the front screen');
  await client.write('ContaminationConfig', {
    ...object(await client.value('ContaminationConfig')),
    eStrategy: ContaminationStrategy.CM_STRATEGY_SENSITIVE,
    eThreshold: ContaminationThreshold.CM_LOW,
  });
  await expect.poll(words).toContain('The front screen is clean.');
  await scanner.control('/contamination', { level: 0.2, sector: 3 });
  await scanner.advance(11_000);
  await expect.poll(words).toContain('Sector 3: dirty.');
  const steps = page.getByRole('region', { name: 'What to do next' }).getByRole('listitem');
  await steps.filter({ hasText: 'Clean the front screen soon' }).getByText('Sector 3 is dirty.').waitFor();
});
