import { legacyProtocols } from '@azimuth/model';
import { describe, expect, test } from 'vitest';
import { atService, Bench } from '../../../../tests/support/device-test-bench.js';

const { EtherAuxIPPort, EtherHostIPPort } = legacyProtocols.members;

describe('the ports of the legacy interfaces', () => {
  test('are kept apart', async () => {
    const { device } = await Bench.open();
    const write = () => device.write(EtherAuxIPPort, 2112, atService);
    expect(write).toThrow(expect.objectContaining({ code: 6, at: 'EtherAuxIPPort' }));
    expect(device.read(EtherAuxIPPort)).toBe(2111);
  });

  test('can change places in one change', async () => {
    const { device } = await Bench.open();
    device.parameters.change((change) => change.set(EtherAuxIPPort, 2112).set(EtherHostIPPort, 2111));
    expect([device.read(EtherAuxIPPort), device.read(EtherHostIPPort)]).toEqual([2112, 2111]);
  });

  test('do not exist below 2.3.1, where other changes pass', async () => {
    const { device } = await Bench.open({ release: '2.2.0' });
    expect(device.endpoints.has('EtherAuxIPPort')).toBe(false);
    device.parameters.change((change) => change.set(legacyProtocols.members.EtherAuxEnabled, false));
  });
});
