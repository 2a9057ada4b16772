import { afterEach, expect, test, vi } from 'vitest';
import { azimuth } from './run.js';

afterEach(() => vi.unstubAllEnvs());

test('the hash of a password is printed as drivers want it', async () => {
  vi.stubEnv('AZIMUTH_PASSWORD', 'servicelevel');
  expect(await azimuth('legacy-hash', 'Service')).toEqual({ stdout: '81BE23AA\n', stderr: '', exitCode: 0 });
  const { stdout } = await azimuth('legacy-hash', 'AuthorizedClient', '--json');
  expect(JSON.parse(stdout)).toEqual({
    level: 'AuthorizedClient',
    hex: '81BE23AA',
    number: 0x81be23aa,
    login: 'sMN SetAccessMode 3 81BE23AA',
  });
});

test('without a password or with an unknown level it says what is needed', async () => {
  vi.stubEnv('AZIMUTH_PASSWORD', '');
  expect(await azimuth('legacy-hash', 'Service')).toMatchObject({
    stderr: expect.stringContaining('the password is needed: give --password-file or AZIMUTH_PASSWORD'),
    exitCode: 2,
  });
  expect((await azimuth('legacy-hash', 'Servce')).stderr).toContain('did you mean Service?');
});
