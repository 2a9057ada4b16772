import { FakeDevice } from '@azimuth/test-support/fake-device';
import { expect, onTestFinished, test, vi } from 'vitest';
import { main as get } from '../src/get-main.js';
import { azimuth, outcomeOf } from './run.js';

test('azimuth get prints in its own program what it prints in that of all commands', async () => {
  const devices = await Promise.all([FakeDevice.start(), FakeDevice.start()]);
  onTestFinished(async () => {
    await Promise.all(devices.map((device) => device.stop()));
  });
  const [one, other] = devices.map(({ url }) => url);
  vi.stubEnv('AZIMUTH_DEVICE', one);
  for (const { values } of devices) values.set('LocationName', 'Gate 3');
  const lines = [
    ['LocationName'],
    ['LocationName', '--json'],
    ['LocationName', 'set', 'get'],
    ['--device', `${one}`, '--device', `${other}`, 'LocationName'],
    ['LocationName', 'LocationNam', '--json', '--device', `${one}`, '--device', `${other}`],
    ['@nobody', 'LocationName'],
    [],
    ['--all', 'LocationName', '--json'],
    ['--help'],
    ['help'],
    ['--version'],
    ['--al'],
    ['--pasword=secret', 'LocationName', '--json'],
    ['-psecret', 'LocationName'],
    ['LocationName', '--at-once', '0'],
    ['--device', 'http://127.0.0.1:1', 'LocationName'],
    ['--device'],
    ['--password-file', '/nothing', 'LocationName'],
    ['LocationName', '--', '--json'],
    ['--user', 'Nobody', 'LocationName'],
  ];
  for (const line of lines) {
    const outcome = await outcomeOf(get, ['get', ...line]);
    expect(outcome.stdout + outcome.stderr, line.join(' ')).not.toBe('');
    expect(outcome, line.join(' ')).toEqual(await azimuth('get', ...line));
  }
});
