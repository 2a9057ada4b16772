import { service } from '@azimuth/test-support/client';
import { azimuth, quiet } from '@azimuth/test-support/command-process';
import { number } from '@azimuth/test-support/json';
import { ScannerFolder } from '@azimuth/test-support/scanner-process';
import { expect, test } from 'vitest';
import { sharedBrowser } from './browser.js';
import { fillLogin, logIn, movingScene, openGui, openPage, strip } from './gui.js';
import { ways } from './ways.js';

const browser = sharedBrowser();

test.each(ways)(
  'a password is changed: the login goes on, and the next one needs the new password, $name',
  async (way) => {
    const scanner = await new ScannerFolder().start(movingScene);
    const page = await openGui(browser(), await way.to(scanner), { at: 'users' });
    await logIn(page);
    const form = page.getByRole('form', { name: 'Change a password' });
    await form.getByLabel('Old password').fill(service.password);
    await form.getByLabel('New password', { exact: true }).fill('Tor-zur-Halle');
    await form.getByLabel('New password once more').fill('Tor-zur-Hölle');
    await form.getByRole('button', { name: 'Change the password' }).click();
    await form.getByRole('alert').getByText('The two new passwords differ.').waitFor();
    await form.getByLabel('New password once more').fill('Tor-zur-Halle');
    await form.getByRole('button', { name: 'Change the password' }).click();
    await form.getByText('The password of Service is changed.').waitFor();
    // Still logged in.
    await openPage(page, 'Restart');
    const saved = page.waitForResponse((response) => response.url().endsWith('/WriteEeprom'));
    await page.getByRole('main').getByRole('button', { name: 'Save', exact: true }).click();
    expect((await saved).status()).toBe(200);
    await page.reload();
    await strip(page).getByRole('button', { name: 'Log in' }).click();
    await fillLogin(page, { user: 'Service', password: 'Tor-zur-Halle' });
    await strip(page).getByRole('button', { name: 'Service' }).waitFor();
  },
);

test.each(ways)(
  'a password of the interfaces A and B is set, and its level switched on, $name',
  async (way) => {
    const scanner = await new ScannerFolder().start(movingScene);
    const page = await openGui(browser(), await way.to(scanner), { at: 'users' });
    await logIn(page);
    const form = page.getByRole('form', { name: 'Interfaces A and B' });
    await form.getByLabel('Level').selectOption('AuthorizedClient');
    await form.getByLabel('New password', { exact: true }).fill('for the driver');
    await form.getByLabel('New password once more').fill('for the driver');
    await form.getByRole('button', { name: 'Set the password' }).click();
    await form.getByText('The password of AuthorizedClient at the interfaces A and B is set.').waitFor();
    await form.getByRole('button', { name: 'Switch on …' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Switch on' }).click();
    await form.getByText('AuthorizedClient is switched on').waitFor();
    const device = `colab://127.0.0.1:${number(scanner.readyLine.legacyB)}`;
    const set = (password: string) =>
      azimuth(['set', 'LocationName', 'Gate 3', '--device', device, '--user', 'AuthorizedClient'], scanner, {
        AZIMUTH_PASSWORD: password,
      });
    expect((await set('client')).code).not.toBe(0);
    expect(await set('for the driver')).toEqual(quiet);
    expect(await scanner.client().value('LocationName')).toBe('Gate 3');
  },
);
