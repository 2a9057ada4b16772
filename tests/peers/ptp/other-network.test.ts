import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { PtpState } from '@azimuth/model';
import { service } from '@azimuth/test-support/client';
import { object, parse } from '@azimuth/test-support/json';
import { ScannerFolder, type ScannerProcess } from '@azimuth/test-support/scanner-process';
import { until } from '@azimuth/test-support/waiting';
import { expect, test } from 'vitest';
import { Namespaces } from './namespaces.js';

const bin = fileURLToPath(new URL('../../../packages/cli/bin/azimuth.js', import.meta.url));

test('a scanner on loopback does not follow a master of another network of its computer', async () => {
  const namespaces = new Namespaces();
  const { scanner: launcher, scannerAddress } = namespaces;
  const azimuth = (host: string, { httpPort }: ScannerProcess, ...words: readonly string[]) => {
    const [program = '', ...rest] = [...launcher, process.execPath, bin, ...words];
    const device = `http://${host}:${httpPort}`;
    const env = { ...process.env, AZIMUTH_DEVICE: device, AZIMUTH_PASSWORD: service.password };
    return execFileSync(program, rest, { env, encoding: 'utf8' });
  };
  const started = async (host: string) => {
    const env = { AZIMUTH_PASSWORD_SERVICE: service.password };
    const scanner = await new ScannerFolder().start(['--host', host], { launcher, env });
    azimuth(host, scanner, 'set', 'TSCRole', 'TX_PTP_SLAVE');
    return scanner;
  };
  const near = await started('127.0.0.1');
  // This one joins the group in the network of the master, so the computer takes what is sent there.
  const far = await started(scannerAddress);
  namespaces.ptp4l(1, 128);
  await until(() => far.log.includes('The clock is synchronised'), 60_000);
  expect(near.log).not.toContain('The scanner follows a PTP master');
  const time = object(parse(azimuth('127.0.0.1', near, 'get', 'x/time', '--json')));
  expect(time['x/time']).toMatchObject({ Synchronised: false, Ptp: { State: PtpState.LISTENING } });
});
