import type { FaultPlan } from '@azimuth/simulation/faults';
import { TestScanner } from '@azimuth/test-support/test-scanner';
import { until } from '@azimuth/test-support/waiting';
import { describe, expect, test } from 'vitest';
import { binaryFrame, LegacyWire, textFrame } from '../legacy/legacy-wire.js';

async function connected(port: 'portA' | 'portB', ...faults: FaultPlan['faults']) {
  const scanner = await TestScanner.start({ faults: { seed: 2, faults } });
  return { scanner, wire: await LegacyWire.open(scanner[port]) };
}

const request = 'sRN LocationName';

describe('a client of the legacy protocol', () => {
  test('gets one wrong byte in the text', async () => {
    const { wire } = await connected('portA', { kind: 'legacy-garble', first: 1 });
    wire.write(textFrame(request));
    const garbled = await wire.text();
    wire.write(textFrame(request));
    const right = await wire.text();
    expect(garbled).toHaveLength(right.length);
    expect([...right].filter((letter, index) => letter !== garbled[index])).toHaveLength(1);
  });

  test('gets a wrong byte under a binary checksum that no longer fits', async () => {
    const { wire } = await connected('portB', { kind: 'legacy-garble' });
    wire.write(binaryFrame(request));
    const head = await wire.take(8);
    const rest = await wire.take(head.readUInt32BE(4) + 1);
    expect(rest.subarray(0, -1).reduce((xor, byte) => xor ^ byte, 0)).not.toBe(rest.at(-1));
  });

  test('gets no end of a telegram', async () => {
    const { wire } = await connected('portA', { kind: 'legacy-no-end', first: 1 });
    wire.write(Buffer.concat([textFrame(request), textFrame('sRN SerialNumber')]));
    await until(() => wire.received.at(-1) === 3);
    const [, first = '', second = ''] = wire.received.toString('latin1').split(String.fromCharCode(2));
    expect(first).toMatch(/^sRA LocationName [ -~]*$/);
    expect(second.slice(0, -1)).toMatch(/^sRA SerialNumber [ -~]*$/);
  });

  test('gets a wrong letter also where the end is missing', async () => {
    const { wire } = await connected('portA', { kind: 'legacy-no-end' }, { kind: 'legacy-garble' });
    const requests = 20;
    wire.write(Buffer.concat(Array.from({ length: requests }, () => textFrame(request))));
    const length = 'sRA LocationName B not defined'.length;
    await until(() => wire.received.length >= requests * length);
    // Only STX and letters: no end, and no other control byte.
    const isAllowed = (byte: number) => byte === 2 || (byte >= 0x20 && byte <= 0x7e);
    expect([...wire.received].filter((byte) => !isAllowed(byte))).toEqual([]);
  });

  test('gets sFA with the code, and the request is not carried out', async () => {
    const { scanner, wire } = await connected(
      'portA',
      { kind: 'legacy-sfa', code: 0x0d, contains: 'PLAYGORW' },
      {
        kind: 'legacy-sfa',
        first: 1,
        contains: 'LocationName',
      },
    );
    const before = await scanner.client().value('LocationName');
    wire.write(textFrame('sWN LocationName 4 Gate'));
    expect(await wire.text()).toBe('sFA 14');
    expect(await scanner.client().value('LocationName')).toEqual(before);
    wire.write(textFrame(request));
    expect(await wire.text()).toMatch(/^sRA LocationName /);
  });

  test('gets any code, over the binary interface, too', async () => {
    const { wire } = await connected('portB', { kind: 'legacy-sfa', code: 0x1234 });
    wire.write(binaryFrame(request));
    expect(await wire.take(14)).toEqual(binaryFrame(Buffer.from([...Buffer.from('sFA'), 0x12, 0x34])));
  });
});
