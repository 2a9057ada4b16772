import { service } from '@azimuth/test-support/client';
import { expectData } from '@azimuth/test-support/envelope';
import { failLogins } from '@azimuth/test-support/failed-logins';
import { changePassword } from '@azimuth/test-support/password-change';
import { sharedScanner } from '@azimuth/test-support/scanner-process';
import { expect, onTestFinished, test } from 'vitest';
import { sharedBrowser } from './browser.js';
import { fillLogin, logIn, movingScene, openGui, refusedWith, strip } from './gui.js';

const scanner = sharedScanner(movingScene);
const browser = sharedBrowser();

/** A refused login is HTTP 403, which browsers report. */
const expected = [refusedWith(403)];
const wrong = { user: 'Service', password: 'wrong' };

test('a wrong password is refused with a reason, the right one is taken, and logging out ends it', async () => {
  const page = await openGui(browser(), scanner(), { expected });
  await strip(page).getByRole('button', { name: 'Log in' }).click();
  await fillLogin(page, wrong);
  const dialog = page.getByRole('dialog', { name: 'Log in' });
  await dialog.getByRole('alert').filter({ hasText: 'does not accept this password' }).waitFor();
  await fillLogin(page, service);
  await dialog.waitFor({ state: 'detached' });
  await strip(page).getByRole('button', { name: 'Service' }).click();
  await dialog.getByRole('button', { name: 'Log out' }).click();
  await strip(page).getByRole('button', { name: 'Log in' }).waitFor();
  expect(await strip(page).getByRole('button', { name: 'Service' }).count()).toBe(0);
});

test.each(['desk', 'phone'] as const)(
  'on a %s, one types the password at once, and the strip then says who is logged in',
  async (screen) => {
    const page = await openGui(browser(), scanner(), { screen });
    await strip(page).getByRole('button', { name: 'Log in' }).click();
    await page.getByRole('dialog', { name: 'Log in' }).waitFor();
    await page.keyboard.type(service.password);
    await page.keyboard.press('Enter');
    const button = strip(page).getByRole('button', { name: 'Logged in as Service' });
    await button.waitFor();
    expect(await button.isVisible()).toBe(true);
  },
);

test.each([844, 667])(
  'on a phone of %i pixels, the bar and the strip take an eighth of the height at most, also with unsaved changes',
  async (height) => {
    const page = await openGui(browser(), scanner(), {
      screen: 'phone',
      context: { viewport: { width: 390, height } },
    });
    await logIn(page);
    await scanner().client().write('LocationName', `Gate ${height}`);
    await strip(page).getByRole('button', { name: 'Save' }).waitFor();
    const bar = await page.getByRole('navigation', { name: 'Pages' }).boundingBox();
    const below = await strip(page).boundingBox();
    expect(((bar?.height ?? height) + (below?.height ?? height)) / height).toBeLessThanOrEqual(0.12);
    await strip(page).getByRole('button', { name: 'Save' }).click();
    await strip(page).getByText('Everything is saved').waitFor();
  },
);

test.each(['desk', 'phone'] as const)('a long refusal stays within the dialog on a %s', async (screen) => {
  const page = await openGui(browser(), scanner(), { expected, screen });
  await strip(page).getByRole('button', { name: 'Log in' }).click();
  await fillLogin(page, wrong);
  const dialog = page.getByRole('dialog', { name: 'Log in' });
  await dialog.getByRole('alert').filter({ hasText: 'does not accept this password' }).waitFor();
  expect(await dialog.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
  // The right one, so that the failures of this file do not add up to a lock.
  await fillLogin(page, service);
  await dialog.waitFor({ state: 'detached' });
});

test('a reload forgets the login, unless the person wants it kept', async () => {
  const page = await openGui(browser(), scanner());
  await logIn(page);
  await page.reload();
  await strip(page).getByRole('button', { name: 'Log in' }).click();
  await page.getByLabel('Stay logged in').check();
  await fillLogin(page, service);
  await strip(page).getByRole('button', { name: 'Service' }).waitFor();
  await page.reload();
  await strip(page).getByRole('button', { name: 'Service' }).waitFor();
  expect(await strip(page).getByRole('button', { name: 'Log in' }).count()).toBe(0);
});

test('a kept login stays in its tab, and nothing of it is left after logging out', async () => {
  const page = await openGui(browser(), scanner());
  await strip(page).getByRole('button', { name: 'Log in' }).click();
  await page.getByLabel('Stay logged in').check();
  await fillLogin(page, service);
  await strip(page).getByRole('button', { name: 'Service' }).waitFor();
  const other = await page.context().newPage();
  await other.goto(page.url());
  await strip(other).getByRole('button', { name: 'Log in' }).waitFor();
  await strip(page).getByRole('button', { name: 'Service' }).click();
  await page.getByRole('button', { name: 'Log out' }).click();
  expect(await page.evaluate('JSON.stringify([{ ...sessionStorage }, { ...localStorage }])')).not.toContain(
    service.password,
  );
});

test('five wrong passwords lock logins, and the seconds that remain count down', async () => {
  const page = await openGui(browser(), scanner(), { expected });
  await strip(page).getByRole('button', { name: 'Log in' }).click();
  const dialog = page.getByRole('dialog', { name: 'Log in' });
  const alert = dialog.getByRole('alert');
  for (let attempt = 1; attempt < 5; attempt++) {
    const answered = page.waitForResponse((response) => response.url().endsWith('/checkCredentials'));
    await fillLogin(page, wrong);
    await answered;
    await alert.filter({ hasText: 'does not accept' }).waitFor();
  }
  await fillLogin(page, wrong);
  await alert.filter({ hasText: 'Logins are locked for' }).waitFor();
  const secondsLeft = async () => Number(/for (\d+) s/.exec(await alert.innerText())?.[1]);
  const first = await secondsLeft();
  expect(first).toBeGreaterThan(20);
  await expect.poll(secondsLeft, { timeout: 10_000 }).toBeLessThan(first);
  expect(await dialog.getByRole('button', { name: 'Log in' }).isDisabled()).toBe(true);
  // The scanner has its own clock. When the lock is over there, the page lets the person in.
  await scanner().advance(31_000);
  await fillLogin(page, service);
  await strip(page).getByRole('button', { name: 'Service' }).waitFor();
});

test('a lock that somebody else has caused is shown, and the page lets the person in when it is over', async () => {
  const page = await openGui(browser(), scanner(), { expected });
  await failLogins(scanner().client(), 5);
  await strip(page).getByRole('button', { name: 'Log in' }).click();
  const dialog = page.getByRole('dialog', { name: 'Log in' });
  const alert = dialog.getByRole('alert');
  await alert.filter({ hasText: /^Logins are locked, for at most \d+ s: somebody else/ }).waitFor();
  expect(await dialog.getByRole('button', { name: 'Log in' }).isDisabled()).toBe(true);
  await scanner().advance(31_000);
  await alert.filter({ hasText: 'locked' }).waitFor({ state: 'detached' });
  await fillLogin(page, service);
  await strip(page).getByRole('button', { name: 'Service' }).waitFor();
});

test('a password that somebody else has changed ends the login: the page says so, asks again, and goes on', async () => {
  const page = await openGui(browser(), scanner(), { at: 'restart', expected });
  await logIn(page);
  const client = scanner().client();
  expectData(await changePassword(client, service, 'from elsewhere'), { result: 0 });
  onTestFinished(async () => {
    const changed = { ...service, password: 'from elsewhere' };
    expectData(await changePassword(client, changed, service.password), { result: 0 });
  });
  await page.getByRole('main').getByRole('button', { name: 'Save', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Log in' });
  await dialog.getByText('does not accept the login of Service any more').waitFor();
  await strip(page).getByText('Log in again').waitFor();
  const saved = page.waitForResponse((response) => response.url().endsWith('/WriteEeprom'));
  await fillLogin(page, { user: 'Service', password: 'from elsewhere' });
  expect((await saved).status()).toBe(200);
  await strip(page).getByRole('button', { name: 'Service' }).waitFor();
});

test('what needs a level asks for it, and goes on by itself after the login', async () => {
  const page = await openGui(browser(), scanner(), { at: 'restart' });
  await page.getByRole('main').getByRole('button', { name: 'Save', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Log in' });
  await dialog.getByText('This needs the level').waitFor();
  const saved = page.waitForResponse((response) => response.url().endsWith('/WriteEeprom'));
  await fillLogin(page, service);
  expect((await saved).status()).toBe(200);
});

test('somebody without the level is asked to log in before the confirmation', async () => {
  const page = await openGui(browser(), scanner(), { at: 'restart' });
  await page.getByRole('button', { name: 'Needs AuthorizedClient' }).first().waitFor();
  await page.getByRole('main').getByRole('button', { name: 'Reboot', exact: true }).click();
  await page.getByRole('dialog', { name: 'Log in' }).waitFor();
  await fillLogin(page, service);
  await page.getByRole('dialog', { name: 'Save everything and reboot?' }).waitFor();
  expect(await page.getByRole('dialog', { name: 'Log in' }).count()).toBe(0);
});
