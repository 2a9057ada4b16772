import { execFileSync } from 'node:child_process';
import { delimiter } from 'node:path';
import { expectData, expectDone } from '@azimuth/test-support/envelope';
import { object } from '@azimuth/test-support/json';
import { ScannerFolder } from '@azimuth/test-support/scanner-process';
import { openSocket } from '@azimuth/test-support/subscriber';
import { expect, test } from 'vitest';

/** Programs of Node that `npm run test:peers` has found, each with its version. */
const nodes = (process.env.AZIMUTH_OTHER_NODES ?? '')
  .split(delimiter)
  .filter((program) => program !== '')
  .map((program) => [execFileSync(program, ['--version'], { encoding: 'utf8' }).trim(), program] as const);

test.each(nodes)(
  'a scanner on Node %s reads, writes, pushes events, stores, reboots and ends',
  async (_, node) => {
    const scannerFolder = new ScannerFolder();
    const scanner = await scannerFolder.start([], { node });
    const client = scanner.client();
    expect(await client.value('DeviceStatus')).toBe(3);
    const socket = await openSocket(client.port, { path: '/x/events' });
    expectDone(await client.write('LocationName', 'Gate 3'));
    expect(object(await socket.nextJson())).toEqual({ changed: { LocationName: 'Gate 3' } });
    expectData(await client.call('WriteEeprom'), { Success: true });
    await scanner.throughReboot(() => client.call('SoftReset', { ProcessorNbr: 0 }));
    expect(await client.value('LocationName')).toBe('Gate 3');
    const { code, log } = await scanner.stop();
    expect(code, log).toBe(0);
  },
);
