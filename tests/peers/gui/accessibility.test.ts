import { sharedScanner } from '@azimuth/test-support/scanner-process';
import { expect, test } from 'vitest';
import { axe, seriousFaults } from './accessibility.js';
import { sharedBrowser } from './browser.js';
import { logIn, movingScene, openGui, openPage, pageTitles } from './gui.js';

const scanner = sharedScanner(movingScene);
const browser = sharedBrowser();

test.each([
  ['light', 'a visitor'],
  ['light', 'somebody who is logged in'],
  ['dark', 'a visitor'],
  ['dark', 'somebody who is logged in'],
] as const)('axe-core finds no serious fault on any page in %s colours, for %s', async (colours, who) => {
  const page = await openGui(browser(), scanner(), { colours, before: axe });
  if (who !== 'a visitor') await logIn(page);
  const faults: string[] = [];
  for (const title of await pageTitles(page)) {
    await openPage(page, title);
    faults.push(...(await seriousFaults(page)).map((fault) => `${title}: ${fault}`));
  }
  expect(faults).toEqual([]);
});
