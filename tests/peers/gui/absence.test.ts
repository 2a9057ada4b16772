import { ScannerFolder } from '@azimuth/test-support/scanner-process';
import { expect, test } from 'vitest';
import { sharedBrowser } from './browser.js';
import { logIn, movingScene, openGui, strip } from './gui.js';
import { ways } from './ways.js';

const browser = sharedBrowser();

test.each(ways)(
  'a reboot is shown while it lasts, and the page is up to date again by itself, $name',
  async (way) => {
    const scanner = await new ScannerFolder().start(movingScene);
    const page = await openGui(browser(), await way.to(scanner), { at: 'restart', expected: way.away });
    await logIn(page);
    await scanner.client().write('LocationName', 'Gate 3');
    // The question lists what the page knows when it is opened.
    await strip(page)
      .getByText(/unsaved/)
      .waitFor();
    await page.getByRole('main').getByRole('button', { name: 'Reboot', exact: true }).click();
    const question = page.getByRole('dialog', { name: 'Save everything and reboot?' });
    await question.getByText('LocationName').waitFor();
    await question.getByRole('button', { name: 'Reboot' }).click();
    await page.getByRole('status').getByText('The scanner reboots').waitFor();
    await page.getByRole('status').getByText('The scanner is back').waitFor({ timeout: 20_000 });
    await strip(page).getByText('Everything is saved').waitFor();
    await strip(page).getByText('Measuring').waitFor();
    // Changes are announced again.
    await scanner.client().write('LocationName', 'Gate 4');
    await expect.poll(() => page.title()).toContain('Gate 4');
  },
);

test.each(ways)(
  'a scanner that ends is gone since a time, its values stay, and it comes back by itself, $name',
  async (way) => {
    const folder = new ScannerFolder();
    const first = await folder.start(movingScene);
    await first.client().write('LocationName', 'Gate 3');
    const page = await openGui(browser(), await way.to(first), {
      at: 'parameters/LocationName',
      expected: way.away,
    });
    const form = page.getByRole('form', { name: 'LocationName' });
    await form.getByText('Gate 3').waitFor();
    const port = `${first.httpPort}`;
    await first.kill();
    await strip(page)
      .getByRole('alert')
      .filter({ hasText: /Gone.* for \d+ s, trying again/s })
      .waitFor();
    expect(await form.innerText()).toContain('Gate 3');
    const second = await folder.start([...movingScene, '--port', port]);
    await strip(page).getByText('Measuring').waitFor({ timeout: 20_000 });
    // It was never saved: the page shows what is true now.
    await form.getByText('Gate 3').waitFor({ state: 'detached' });
    await second.client().write('LocationName', 'Gate 4');
    await form.getByText('Gate 4').waitFor();
  },
);

test.each(ways)(
  'the overview of a scanner that has gone says so, and not that everything works, $name',
  async (way) => {
    const scanner = await new ScannerFolder().start(movingScene);
    const page = await openGui(browser(), await way.to(scanner), { expected: way.away });
    const main = page.getByRole('main');
    await main.getByText('Everything works').waitFor();
    await scanner.kill();
    await main.getByText('The scanner does not answer').waitFor();
    await expect.poll(() => main.getByText('Everything works').count()).toBe(0);
  },
);

test.each(ways)(
  'a scanner that hangs without closing its connections is gone, too, and comes back, $name',
  async (way) => {
    const scanner = await new ScannerFolder().start(movingScene);
    const page = await openGui(browser(), await way.to(scanner), {
      at: 'parameters/LocationName',
      expected: way.away,
    });
    await strip(page).getByText('Measuring').waitFor();
    process.kill(scanner.pid, 'SIGSTOP');
    try {
      await strip(page).getByRole('alert').filter({ hasText: 'Gone' }).waitFor({ timeout: 20_000 });
    } finally {
      process.kill(scanner.pid, 'SIGCONT');
    }
    await expect.poll(() => strip(page).getByText('Measuring').isVisible()).toBe(true);
  },
);
