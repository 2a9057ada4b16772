import { readFileSync } from 'node:fs';
import { sharedScanner } from '@azimuth/test-support/scanner-process';
import { expect, test } from 'vitest';
import { sharedBrowser } from './browser.js';
import { movingScene, openGui, openPage } from './gui.js';

const scanner = sharedScanner(movingScene);
const browser = sharedBrowser();

test('a problem becomes a message with its severity, time and advice, and ends', async () => {
  await scanner().setTemperature(20);
  const page = await openGui(browser(), scanner(), { at: 'messages' });
  await page.getByText('The scanner reports nothing').waitFor();
  await scanner().setTemperature(61);
  const row = page.getByRole('row', { name: /Error.*The scanner is too hot.*temperatureAlarmStatus/ });
  await row.getByText('lasts').waitFor();
  await row.getByRole('link', { name: 'Limits of the alarm' }).waitFor();
  await scanner().setTemperature(20);
  await row.getByText(/^ended \d{4}-\d\d-\d\d/).waitFor();
  await scanner().setTemperature(61);
  await expect.poll(() => row.getByText(/^2\s*×$/).count()).toBe(1);
});

test('messages of the visit are there, also if another page was open meanwhile', async () => {
  await scanner().setTemperature(20);
  const page = await openGui(browser(), scanner(), { at: 'overview' });
  await page.getByText('No alarm').waitFor();
  await scanner().setTemperature(61);
  await page.getByText('Alarm: too hot').waitFor();
  await scanner().setTemperature(20);
  await page.getByText('No alarm').waitFor();
  await openPage(page, 'Messages');
  await page
    .getByRole('row', { name: /The scanner is too hot/ })
    .getByText(/^ended/)
    .waitFor();
});

test('messages are filtered by severity and words, and saved as they are shown', async () => {
  await scanner().setTemperature(61);
  const page = await openGui(browser(), scanner(), { at: 'messages' });
  const row = page.getByRole('row', { name: /too hot/ });
  await row.waitFor();
  await page.getByLabel('Severity').selectOption('Warnings');
  await expect.poll(() => row.count()).toBe(0);
  await page.getByLabel('Severity').selectOption('Errors');
  await page.getByLabel('Filter by words').fill('temperature hot');
  await row.waitFor();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save as CSV' }).click();
  const file = readFileSync(await (await download).path(), 'utf8');
  expect(file.split('\r\n')[0]).toBe('began,ended,severity,category,source,number,count,text,advice');
  expect(file).toContain('Error,Temperature,temperatureAlarmStatus,');
});
