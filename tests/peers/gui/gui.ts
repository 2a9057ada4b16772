import { type Login, service } from '@azimuth/test-support/client';
import type { ScannerProcess } from '@azimuth/test-support/scanner-process';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { PageFaults } from './page-faults.js';

/**
 * Tests of the GUI in Chromium. A test file looks like this:
 *
 *     const scanner = sharedScanner(movingScene);
 *     const browser = sharedBrowser();
 *
 *     test('a name is changed', async () => {
 *       const page = await openGui(browser(), scanner(), { at: 'parameters' });
 *       await logIn(page);
 *       await page.getByLabel('Name').fill('Gate 3');
 *       …
 *     });
 *
 * Find things as people do, by role, label and text. Wait by `locator.waitFor()` or `expect.poll()`, never for a time.
 */

/** A scene in which people walk, and a boot that takes a second, so that a test can wait for it. */
export const movingScene: readonly string[] = ['--scene', 'gate', '--seed', '1', '--boot-time', '1'];

/** Screens in CSS pixels. */
const screens = {
  desk: { viewport: { width: 1280, height: 800 } },
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
} satisfies Record<string, BrowserContextOptions>;

/** What a browser reports while a scanner does not answer, or if it ends in the middle of an answer. */
export const gone: readonly RegExp[] = [
  /net::ERR_(CONNECTION|CONTENT_LENGTH|EMPTY|ABORTED|INCOMPLETE|SOCKET|NETWORK)/,
  /WebSocket connection to .* failed/,
];

/** What a browser reports when a scanner refuses something, by the HTTP status. */
export const refusedWith = (status: number): RegExp => new RegExp(`responded with a status of ${status} `);

export interface Opening {
  /** The page, and what is chosen on it: `parameters/LocationName`. By default, the first page. */
  readonly at?: string;
  /** Colours that the browser prefers. Default: light. */
  readonly colours?: 'light' | 'dark';
  /** Default: desk. */
  readonly screen?: keyof typeof screens;
  /** Faults that are no faults in this test, such as `gone`. */
  readonly expected?: readonly RegExp[];
  /** Host and port where these pages go in this test. By default, they go nowhere. */
  readonly follows?: string;
  /** ms that each wait may take. Default: 30 000, for a busy machine. */
  readonly patience?: number;
  /** JavaScript that runs before that of the page. */
  readonly before?: string;
  /** Further settings of Playwright. */
  readonly context?: BrowserContextOptions;
}

/** Only its answer 404 tells that a scanner has no 3D recording. The browser logs it. */
const nothingRecorded = /status of 404 .*\/cloud\.pcd/;

/**
 * Opens the GUI in a browser profile of its own, and waits until it is there. The test fails if the page logs an error or a
 * warning, throws, violates its Content-Security-Policy, or talks to another host.
 * @param place a scanner, or the URL of the GUI
 */
export async function openGui(
  browser: Browser,
  place: ScannerProcess | string,
  opening: Opening = {},
): Promise<Page> {
  const { at = '', expected = [], follows } = opening;
  const url = typeof place === 'string' ? place : `http://127.0.0.1:${place.httpPort}/`;
  const page = await blankPage(browser, opening);
  const faults = new PageFaults(page, url, [nothingRecorded, ...expected], follows);
  onTestFinished(() => {
    expect(faults.all, 'faults of the page').toEqual([]);
  });
  await page.goto(`${url}${at === '' ? '' : `#/${at}`}`);
  await page.getByRole('navigation', { name: 'Pages' }).waitFor();
  return page;
}

/** A page in a browser profile of its own, gone with the test. */
export async function blankPage(browser: Browser, opening: Opening = {}): Promise<Page> {
  const { colours = 'light', screen = 'desk', patience = 30_000, before, context: settings } = opening;
  const context = await browser.newContext({ ...screens[screen], colorScheme: colours, ...settings });
  onTestFinished(() => context.close());
  context.setDefaultTimeout(patience);
  if (before !== undefined) await context.addInitScript({ content: before });
  return context.newPage();
}

/** Logs in as a person does. By default, at the level Service. */
export async function logIn(page: Page, { user, password }: Login = service): Promise<void> {
  await strip(page).getByRole('button', { name: 'Log in' }).click();
  await fillLogin(page, { user, password });
  await strip(page).getByRole('button', { name: user }).waitFor();
}

/** Fills and sends the form of a login that is open. */
export async function fillLogin(page: Page, { user, password }: Login): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Log in' });
  await dialog.getByLabel('Level').selectOption(user);
  await dialog.getByLabel('Password').fill(password);
  await dialog.getByRole('button', { name: 'Log in' }).click();
}

/** The strip that is always in sight: state, unsaved changes, login. */
export function strip(page: Page) {
  return page.getByRole('region', { name: 'State of the scanner' });
}

/** The links to all pages of this scanner. On a phone they are there after `showMenu`. */
export function pageLinks(page: Page) {
  return page.getByRole('navigation', { name: 'Pages' }).getByRole('listitem').getByRole('link');
}

/** Opens the list of pages, where it is not always there. */
export async function showMenu(page: Page): Promise<void> {
  const menu = page.getByRole('button', { name: 'Menu', exact: true, expanded: false });
  if (await menu.isVisible()) await menu.click();
}

/** Opens a page by its link, and waits until it is there. */
export async function openPage(page: Page, title: string): Promise<void> {
  await showMenu(page);
  await pageLinks(page).getByText(title, { exact: true }).click();
  await isShown(page, title);
}

/** Waits until the page with this title in the navigation is shown. */
export async function isShown(page: Page, title: string): Promise<void> {
  await expect.poll(() => page.title(), { timeout: 30_000 }).toMatch(new RegExp(` – ${title}$`));
  await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor();
}

/** The titles of all pages of this scanner. */
export async function pageTitles(page: Page): Promise<readonly string[]> {
  await showMenu(page);
  return pageLinks(page).allInnerTexts();
}
