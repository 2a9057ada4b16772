import { sharedScanner } from '@azimuth/test-support/scanner-process';
import { expect, test } from 'vitest';
import { sharedBrowser } from './browser.js';
import { movingScene, openGui } from './gui.js';

const scanner = sharedScanner(movingScene);
const browser = sharedBrowser();

test('ports that the plug lacks are said to be so, on their page and in brief', async () => {
  const page = await openGui(browser(), scanner(), { at: 'ports' });
  const connector = page.getByRole('navigation', { name: 'Connector' }).getByRole('listitem');
  await connector.nth(7).getByText('Not at the plug').waitFor();
  const texts = await connector.allInnerTexts();
  expect(texts.map((text) => text.includes('Not at the plug'))).toEqual([
    ...Array.from({ length: 6 }, () => false),
    ...[true, true],
  ]);
  await page.getByText('not at the plug of this scanner').nth(1).waitFor();
  await openGui(browser(), scanner(), { at: 'overview' }).then((overview) =>
    overview.getByText('8 Not at the plug').waitFor(),
  );
});
