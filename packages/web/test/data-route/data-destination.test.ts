import { imuDataOutput, ScanDataFormat } from '@azimuth/model';
import { expect, test } from 'vitest';
import { compactDestinationOf, destinationOf, routeState } from '../../src/data-route/data-destination.js';

const udp = { Protocol: 1, IPAddress: [192, 168, 0, 10], Port: 2115 };

function destination(values: Readonly<Record<string, unknown>>) {
  const all: Readonly<Record<string, unknown>> = {
    ScanDataEnable: true,
    ScanDataEthSettings: udp,
    ScanDataFormat: ScanDataFormat.Compact,
    ...values,
  };
  return destinationOf({ value: (name) => all[name] });
}

test('UDP goes to an address, TCP to those who connect', () => {
  expect(destination({})).toEqual({ isOn: true, to: '192.168.0.10:2115', format: 'Compact' });
  expect(destination({ ScanDataEthSettings: { ...udp, Protocol: 2 } })?.to).toBe('clients at TCP port 2115');
});

test('a format with a way of its own does not go to the address of the settings', () => {
  expect(destination({ ScanDataFormat: ScanDataFormat.NativeROS2 })?.to).toBe('programs of ROS 2');
});

test('LMDscandata is on, whatever the switch of the stream', () => {
  expect(destination({ ScanDataFormat: ScanDataFormat.LMDscandata, ScanDataEnable: false })).toEqual({
    isOn: true,
    to: 'clients of the legacy protocol',
    format: 'LMDscandata',
  });
});

test('LMDscandata is off while the legacy interfaces are', () => {
  const format = { ScanDataFormat: ScanDataFormat.LMDscandata };
  expect(destination({ ...format, EtherAuxEnabled: true })?.isOn).toBe(true);
  expect(destination({ ...format, EtherAuxEnabled: false })?.isOn).toBe(false);
});

test('an unknown reason why nothing is sent is told in general words', () => {
  const sent = { telegrams: 1, refused: 0, lost: 0, down: 'constructor' };
  const sending = { kind: 'known', sent, rate: 0, isRefused: false, isLosing: false } as const;
  const on = { isOn: true, to: '192.168.0.10:2115', format: 'Compact' };
  expect(routeState(on, sending)).toEqual(['bad', 'Cannot send', expect.stringContaining('log')]);
});

test('the destination is not known before the scanner has said it', () => {
  expect(destination({ ScanDataEthSettings: undefined })).toBeUndefined();
});

test('a stream without a choice of formats is Compact', () => {
  const values: Readonly<Record<string, unknown>> = { ImuDataEnable: false, ImuDataEthSettings: udp };
  const { ImuDataEnable, ImuDataEthSettings } = imuDataOutput.members;
  const of = (known: Readonly<Record<string, unknown>>) =>
    compactDestinationOf({ value: (name) => known[name] }, ImuDataEnable, ImuDataEthSettings);
  expect(of(values)).toEqual({ isOn: false, to: '192.168.0.10:2115', format: 'Compact' });
  expect(of({ ImuDataEnable: false })).toBeUndefined();
});
