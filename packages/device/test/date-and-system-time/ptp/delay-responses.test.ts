import { PtpState } from '@azimuth/model';
import type { PtpDelayResponse } from '@azimuth/telegrams/ptp';
import { describe, expect, test } from 'vitest';
import { first, PtpDevice } from './ptp-device.js';

type Change = (response: PtpDelayResponse) => PtpDelayResponse;

/** 19.5 hours, in 2^-16 ns. */
const huge = 1n << 62n;
const stranger = { clock: 'aabbccfffe010203', port: 1 };

const ignored: readonly [string, Change][] = [
  ['the number before', (response) => ({ ...response, sequence: (response.sequence + 65_535) % 65_536 })],
  ['the number after', (response) => ({ ...response, sequence: (response.sequence + 1) % 65_536 })],
  ['another requester', (response) => ({ ...response, requester: stranger })],
  [
    'another port of the requester',
    (response) => ({ ...response, requester: { ...response.requester, port: 2 } }),
  ],
  ['another source', (response) => ({ ...response, source: stranger })],
  ['another domain', (response) => ({ ...response, domain: 1 })],
];
const wild: readonly [string, Change][] = [
  ['a huge correction', (response) => ({ ...response, correction: huge })],
  ['a huge negative correction', (response) => ({ ...response, correction: -huge })],
  [
    'a time a minute later',
    ({ time, ...rest }) => ({ ...rest, time: { ...time, seconds: time.seconds + 60 } }),
  ],
  [
    'a time a minute earlier',
    ({ time, ...rest }) => ({ ...rest, time: { ...time, seconds: time.seconds - 60 } }),
  ],
];

/** Number of times that the clock was set. */
const steps = ({ logged }: PtpDevice) => logged.filter((line) => line === 'The clock is synchronised').length;

describe.each(ignored)('a response to Delay_Req with %s', (_, change) => {
  test('does not count', async () => {
    const device = await PtpDevice.following(first);
    device.master.changed = change;
    device.pass(30);
    expect(device.state).toMatchObject({
      Synchronised: false,
      Fault: 'the PTP master does not answer Delay_Req',
    });
    device.master.changed = (response) => response;
    device.pass(10);
    expect(device.state.Ptp.State).toBe(PtpState.SLAVE);
  });
});

describe.each(wild)('responses to Delay_Req with %s', (_, change) => {
  test('do not set a clock, however many come', async () => {
    const device = await PtpDevice.following(first);
    device.master.changed = change;
    device.pass(60);
    expect(device.state).toMatchObject({
      Synchronised: false,
      Fault: 'the times of the PTP master contradict each other',
    });
    device.master.changed = (response) => response;
    device.pass(60);
    expect(Math.abs(device.error())).toBeLessThan(0.1);
    expect(steps(device)).toBe(1);
  });

  test('do not move a clock that is synchronised', async () => {
    const device = await PtpDevice.following(first);
    device.pass(20);
    device.master.changed = change;
    for (let count = 0; count < 60; count += 1) {
      device.pass(1);
      expect(Math.abs(device.error())).toBeLessThan(0.1);
    }
    device.master.changed = (response) => response;
    device.pass(60);
    expect(device.state.Ptp.State).toBe(PtpState.SLAVE);
    expect(Math.abs(device.error())).toBeLessThan(0.1);
    expect(steps(device)).toBe(1);
  });

  test('and right ones in turn keep the clock right', async () => {
    const device = await PtpDevice.following(first);
    let count = 0;
    device.master.changed = (response) => {
      count += 1;
      return count % 2 === 0 ? change(response) : response;
    };
    device.pass(60);
    expect(device.state.Ptp.State).toBe(PtpState.SLAVE);
    expect(Math.abs(device.error())).toBeLessThan(0.1);
    expect(steps(device)).toBe(1);
  });
});
