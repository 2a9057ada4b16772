import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@azimuth/test-support/files';
import { expect, test } from 'vitest';
import { scannersOfFile } from '../../src/fleet/fleet-file.js';
import { azimuth } from '../run.js';

const fleetPlace = { host: '127.0.0.1', port: 8000 };

function fileWith(text: string): string {
  const path = join(temporaryFolder(), 'fleet.yaml');
  writeFileSync(path, text);
  return path;
}

const hall = (port: string, more = '') => `
groups:
  hall:
    count: 3
${more}    parameters:
      ScanDataEnable: true
      ScanDataEthSettings: {Protocol: TCP${port}}
`;

test('scanners that would send at the same TCP port are a mistake where the port is written', async () => {
  const path = fileWith(hall(', Port: 3000'));
  const { stderr, exitCode } = await azimuth('fleet', 'run', path, '--dry-run');
  expect(stderr).toBe(
    `azimuth: ${path}:7:50: hall: 127.0.0.1:3000, for scan data over TCP, is also used in hall; give the group an address, or each scanner another Port in ScanDataEthSettings\n`,
  );
  expect(exitCode).toBe(2);
});

test('if no port is written, it is that of the factory, and the mistake is where the others are', async () => {
  await expect(scannersOfFile(fileWith(hall('')), fleetPlace)).rejects.toThrow(
    /fleet\.yaml:7:28: hall: 127\.0\.0\.1:2115, /,
  );
});

test('an address for each scanner, or a port, is right', async () => {
  expect(await scannersOfFile(fileWith(hall('', '    address: 127.0.9.1\n')), fleetPlace)).toHaveLength(3);
  expect(await scannersOfFile(fileWith(hall(", Port: '300{n}'")), fleetPlace)).toHaveLength(3);
});
