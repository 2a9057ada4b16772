import { expect, test } from 'vitest';
import { service } from '../../support/client.js';
import { ScannerFolder } from '../../support/scanner-process.js';
import { sharedBrowser } from './browser.js';
import { fillLogin, logIn, movingScene, openGui, strip } from './gui.js';

const browser = sharedBrowser();

test('a password is changed: the login goes on, and the next one needs the new password', async () => {
  const scanner = await new ScannerFolder().start(movingScene);
  const page = await openGui(browser(), scanner, { at: 'users' });
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
  await page.goto(`http://127.0.0.1:${scanner.httpPort}/#/restart`);
  const saved = page.waitForResponse((response) => response.url().endsWith('/WriteEeprom'));
  await page.getByRole('main').getByRole('button', { name: 'Save', exact: true }).click();
  expect((await saved).status()).toBe(200);
  await page.reload();
  await strip(page).getByRole('button', { name: 'Log in' }).click();
  await fillLogin(page, { user: 'Service', password: 'Tor-zur-Halle' });
  await strip(page).getByRole('button', { name: 'Service' }).waitFor();
});
