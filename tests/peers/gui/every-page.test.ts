import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { sharedScanner } from '@azimuth/test-support/scanner-process';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { axe, seriousFaults } from './accessibility.js';
import { sharedBrowser } from './browser.js';
import { cutOff } from './cut-off.js';
import { logIn, movingScene, openGui, openPage, pageTitles } from './gui.js';
import { controlsOutOfReach } from './tab-walk.js';

const scanner = sharedScanner(movingScene);
const browser = sharedBrowser();

/** Where screenshots of all pages are kept, if somebody asks for them. */
const shots = process.env.AZIMUTH_SHOTS;
/** The fewest pages that a scanner with everything has: the walk through them must not end early. */
const fewest = 20;
/** ms for all pages: axe-core looks at more than twenty. */
const patience = 300_000;
/** Share of the height of a phone that is left for the page. */
const leastHeight = 0.88;

const desk = { context: { viewport: { width: 1440, height: 900 } } };
const phone = { screen: 'phone' } as const;

test.each([
  ['light', 'desk', 'logged in', desk],
  ['dark', 'desk', 'as a visitor', desk],
  ['light', 'phone', 'as a visitor', phone],
  ['dark', 'phone', 'logged in', phone],
] as const)(
  'every page is fit to be used, in %s colours, on a %s, %s',
  async (colours, screen, who, opening) => {
    const page = await openGui(browser(), scanner(), { colours, before: axe, ...opening });
    if (who === 'logged in') await logIn(page);
    const titles = await pageTitles(page);
    expect(titles.length).toBeGreaterThanOrEqual(fewest);
    const faults: string[] = [];
    for (const title of titles) {
      await openPage(page, title);
      const found = [
        ...(await seriousFaults(page)),
        ...(await placesThatScrollSideways(page)),
        ...(await page.locator('main input').evaluateAll(cutOff)),
      ];
      if (screen === 'phone') found.push(...(await lackOfHeight(page)));
      // What can be reached is the same in all colours and on all screens.
      if (screen === 'desk' && who === 'logged in') found.push(...(await controlsOutOfReach(page)));
      faults.push(...found.map((fault) => `${title}: ${fault}`));
      await keepShot(page, `${title}-${colours}-${screen}`);
    }
    expect(faults).toEqual([]);
  },
  patience,
);

/** Parts that scroll by themselves are no fault. */
async function placesThatScrollSideways(page: Page): Promise<readonly string[]> {
  const excess = await page.evaluate(
    'Math.max(...[document.documentElement, document.querySelector("main")].map((one) => one.scrollWidth - one.clientWidth))',
  );
  return excess === 0 ? [] : [`the page is ${excess} px wider than the screen`];
}

/** What is always in sight leaves enough of a phone to the page. */
async function lackOfHeight(page: Page): Promise<readonly string[]> {
  const box = await page.getByRole('main').boundingBox();
  const share = (box?.height ?? 0) / (page.viewportSize()?.height ?? 1);
  return share >= leastHeight ? [] : [`only ${Math.round(100 * share)} % of the height are left for it`];
}

async function keepShot(page: Page, name: string): Promise<void> {
  if (shots === undefined) return;
  mkdirSync(shots, { recursive: true });
  await page.screenshot({
    path: join(shots, `${name.replaceAll(' ', '-').toLowerCase()}.png`),
    animations: 'disabled',
  });
}
