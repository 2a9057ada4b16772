import { MonitorProcess } from '@azimuth/test-support/monitor-process';
import { sharedScanner } from '@azimuth/test-support/scanner-process';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { sharedBrowser } from './browser.js';
import { openGui, openPage, pageTitles } from './gui.js';
import { guiCommand } from './gui-command.js';

const browser = sharedBrowser();
const scanner = sharedScanner();

/** The pages of a scanner that a monitor watches. */
async function pagesWithMonitor(at: string): Promise<Page> {
  const url = `http://127.0.0.1:${scanner().httpPort}`;
  const monitor = await MonitorProcess.start('--device', url);
  const list = async () => (await fetch(`${monitor.url}/site`)).text();
  await expect.poll(list, { timeout: 20_000 }).toContain('"state":"Measuring"');
  return openGui(browser(), await guiCommand(url, '--monitor', monitor.url), { at });
}

test('the history of a scanner begins with what a monitor knows', async () => {
  const page = await pagesWithMonitor('history');
  const main = page.getByRole('main');
  await main.getByRole('heading', { name: 'History', level: 1 }).waitFor();
  await main.getByRole('region', { name: 'Answers' }).getByText('100 % of the time').waitFor();
  await main.getByText('Temperature', { exact: true }).waitFor();
  const span = main.getByRole('group', { name: 'How far back' });
  await span.getByRole('button', { name: '30 d' }).click();
  expect(await span.getByRole('button', { name: '30 d' }).getAttribute('aria-pressed')).toBe('true');
  await main.getByRole('region', { name: 'Answers' }).waitFor();
});

test('the log of a monitor is shown, and filtered by its server', async () => {
  const page = await pagesWithMonitor('log');
  await page.getByRole('checkbox', { name: 'All scanners' }).check();
  const entry = page.getByRole('row').filter({ hasText: 'watches 1 scanner' }).first();
  await entry.waitFor();
  const words = page.getByRole('searchbox', { name: 'Filter by words' });
  await words.fill('nothing-is-called-so');
  await page.getByText('The server has no entry like this.').waitFor();
  await words.fill('scanner WATCHES');
  await entry.waitFor();
  await page.getByRole('combobox', { name: 'Severity' }).selectOption('Errors');
  await page.getByText('The server has no entry like this.').waitFor();
  // What this page has received itself is beside it.
  await page.getByRole('button', { name: 'This visit' }).click();
  await page.getByText('Every value that has changed since this page was opened').waitFor();
});

test('a scanner that serves its pages itself has no history', async () => {
  const page = await openGui(browser(), scanner());
  expect(await pageTitles(page)).not.toContain('History');
  await openPage(page, 'Event log');
  expect(await page.getByRole('button', { name: 'Log of the server' }).count()).toBe(0);
});
