import { ScannerFolder } from '@azimuth/test-support/scanner-process';
import { expect, test } from 'vitest';
import { sharedBrowser } from './browser.js';
import { logIn, movingScene, openGui, strip } from './gui.js';
import { ways } from './ways.js';

const browser = sharedBrowser();

/** A scanner with a name and scan data that are saved, and another profile that is not. */
async function changedScanner() {
  const scanner = await new ScannerFolder().start(movingScene);
  const client = scanner.client();
  await client.write('LocationName', 'Gate 3');
  await client.write('ScanDataEnable', true);
  await client.call('WriteEeprom');
  await client.write('PerformanceProfileNumber', 8);
  return { scanner, client };
}

test.each(ways)('all unsaved changes are discarded, after a list of them, $name', async (way) => {
  const { scanner, client } = await changedScanner();
  const page = await openGui(browser(), await way.to(scanner), { at: 'parameters' });
  await logIn(page);
  await strip(page).getByText('1 unsaved').waitFor();
  await page.getByRole('main').getByRole('button', { name: 'Discard all …' }).click();
  const question = page.getByRole('dialog', { name: 'Discard all unsaved changes?' });
  expect(await question.innerText()).toMatch(/PerformanceProfileNumber: 8: 50 Hz.* → \d: /);
  await question.getByRole('button', { name: 'Cancel' }).click();
  expect(await client.value('PerformanceProfileNumber')).toBe(8);
  await page.getByRole('main').getByRole('button', { name: 'Discard all …' }).click();
  await question.getByRole('button', { name: 'Discard all' }).click();
  await strip(page).getByText('Everything is saved').waitFor();
  expect(await client.value('PerformanceProfileNumber')).not.toBe(8);
  expect(await client.value('LocationName')).toBe('Gate 3');
});

test.each(ways)(
  'the application defaults keep the name, and the list before says what changes, $name',
  async (way) => {
    const { scanner, client } = await changedScanner();
    const logged = Array.from({ length: 48 }, () => true);
    await client.write('EvaluationsToLog', logged.with(2, false));
    const page = await openGui(browser(), await way.to(scanner), { at: 'parameters' });
    await logIn(page);
    await strip(page).getByText('2 unsaved').waitFor();
    await page.getByRole('main').getByRole('button', { name: 'Application defaults …' }).click();
    const question = page.getByRole('dialog', { name: 'Load the application defaults?' });
    const listed = await question.innerText();
    expect(listed).toContain('EvaluationsToLog');
    expect(listed).not.toContain('LocationName');
    await question.getByRole('button', { name: 'Load defaults' }).click();
    await expect.poll(() => client.value('EvaluationsToLog')).toEqual(logged);
    expect(await client.value('LocationName')).toBe('Gate 3');
    await question.waitFor({ state: 'detached' });
  },
);

test.each(ways)(
  'the factory defaults replace everything, after a list of what will change, and are stored, $name',
  async (way) => {
    const { scanner, client } = await changedScanner();
    const page = await openGui(browser(), await way.to(scanner), { at: 'parameters' });
    await logIn(page);
    await strip(page).getByText('1 unsaved').waitFor();
    await page.getByRole('main').getByRole('button', { name: 'Factory defaults …' }).click();
    const question = page.getByRole('dialog', { name: 'Load the factory defaults?' });
    const listed = await question.innerText();
    expect(listed).toContain('Loses the values of all parameters');
    expect(listed).toContain('LocationName: Gate 3 → not defined');
    expect(listed).toContain('ScanDataEnable: On → Off');
    expect(listed).toContain('PerformanceProfileNumber: 8: 50 Hz, 0.25° → 2: 15 Hz');
    await question.getByRole('button', { name: 'Load defaults' }).click();
    await expect.poll(() => client.value('LocationName')).not.toBe('Gate 3');
    expect(await client.value('ScanDataEnable')).toBe(false);
    await strip(page).getByText('Everything is saved').waitFor();
  },
);

test.each(ways)(
  'a reboot without saving says what is lost, and nothing if nothing is unsaved, $name',
  async (way) => {
    const { scanner, client } = await changedScanner();
    const page = await openGui(browser(), await way.to(scanner), { at: 'restart', expected: way.away });
    await logIn(page);
    await strip(page).getByText('1 unsaved').waitFor();
    const button = page.getByRole('main').getByRole('button', { name: 'Reboot without saving' });
    const question = page.getByRole('dialog', { name: 'Reboot without saving?' });
    await button.click();
    const asked = await question.innerText();
    expect(asked).toContain('Loses all changes that are not stored, for good.');
    expect(asked).toContain('PerformanceProfileNumber: 8: 50 Hz');
    await question.getByRole('button', { name: 'Reboot without saving' }).click();
    await page.getByRole('status').getByText('The scanner is back').waitFor({ timeout: 20_000 });
    await strip(page).getByText('Everything is saved').waitFor();
    expect(await client.value('PerformanceProfileNumber')).not.toBe(8);
    await button.click();
    expect(await question.innerText()).toContain('Nothing is unsaved');
    expect(await question.innerText()).not.toContain('Loses');
  },
);
