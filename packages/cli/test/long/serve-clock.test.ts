import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { Scanner } from '@azimuth/client';
import { number, object, parse } from '@azimuth/test-support/json';
import { Reader, serve, temporaryFolder } from '@azimuth/test-support/serve-process';
import { until } from '@azimuth/test-support/waiting';
import { expect, onTestFinished, test } from 'vitest';
import { azimuth } from '../run.js';

/** A scanner with these options, and its clock on the control port. */
async function started(...flags: readonly string[]) {
  const child = serve({ flags: ['--any-ports', '--json', '--data', temporaryFolder(), ...flags] });
  const stdout = new Reader(child.stdout);
  await stdout.until((text) => text.includes('\n'));
  const { http, control } = object(parse(stdout.text));
  const url = `http://127.0.0.1:${number(control)}`;
  const clock = async () => object(object(parse(await (await fetch(url)).text())).clock);
  const stderr = new Reader(child.stderr);
  return {
    url,
    clock,
    stderr,
    scanner: new Scanner({ url: `http://127.0.0.1:${number(http)}`, password: 'servicelevel' }),
  };
}

test('with --clock virtual, time stands still until it is let pass', async () => {
  const { url, clock, scanner } = await started('--clock', 'virtual');
  expect((await clock()).uptime).toBe(0);
  const before = await scanner.read('LSPdatetime');
  const { exitCode, stderr } = await azimuth('sim', 'advance', '1500ms', '--measure', '--control', url);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect((await clock()).uptime).toBe(1.5);
  const { usiSec } = await scanner.read('LSPdatetime');
  expect(usiSec).toBe(before.usiSec + 1);
});

test('with --time-factor, time passes faster, and the control port shows the factor', async () => {
  const { clock } = await started('--time-factor', '200');
  expect(await clock()).toMatchObject({ factor: 200 });
  await until(async () => number((await clock()).uptime) > 60);
});

test('with a factor that no computer reaches, the log says so, and no telegram is lost on the way to the network', async () => {
  const { clock, stderr, scanner } = await started('--time-factor', '1000');
  const driver = createSocket('udp4').bind(0, '127.0.0.1');
  onTestFinished(() => void driver.close());
  await once(driver, 'listening');
  const { port: Port } = driver.address();
  let received = 0;
  driver.on('message', () => received++);
  await scanner.write('ScanDataEthSettings', { Protocol: 1, IPAddress: [127, 0, 0, 1], Port });
  await scanner.write('ScanDataEnable', true);
  await until(() => received > 2000);
  await stderr.until((text) => text.includes('This computer is too slow for --time-factor'));
  expect(number((await clock()).lost)).toBeGreaterThan(0);
  await scanner.write('ScanDataEnable', false);
  expect(stderr.text).not.toContain('telegrams do not get through');
});

test.each([
  [['--clock', 'virtual', '--time-factor', '2'], '--clock virtual cannot be used with --time-factor'],
  [['--time-factor', '0'], 'Expected a number from 0.01 to 1000.'],
  [['--clock', 'slow'], 'Allowed choices are system, virtual'],
])('%j is refused', async (flags, words) => {
  const { stderr, exitCode } = await azimuth('serve', '--data', temporaryFolder(), ...flags);
  expect(stderr).toContain(words);
  expect(exitCode).toBe(2);
});
