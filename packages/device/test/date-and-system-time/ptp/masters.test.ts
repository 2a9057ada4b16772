import { PtpState } from '@azimuth/model';
import { describe, expect, test } from 'vitest';
import { first, PtpDevice, second } from './ptp-device.js';
import type { Script } from './scripted-network.js';

const hour = 3_600_000;
const minute = 60;

function identity(number: number): string {
  return `aabbccfffe${number.toString(16).padStart(6, '0')}`;
}

describe('the best master', () => {
  test.each<[string, Partial<Script>, Partial<Script>]>([
    ['priority 1', { priority1: 127, clockClass: 248 }, { priority1: 128, clockClass: 6 }],
    ['clock class', { clockClass: 6, priority2: 200 }, { clockClass: 7, priority2: 1 }],
    ['priority 2', { priority2: 10 }, { priority2: 11 }],
    [
      'steps removed',
      { grandmaster: identity(9), stepsRemoved: 1 },
      { grandmaster: identity(9), stepsRemoved: 2 },
    ],
  ])('is chosen by %s', async (_, better, worse) => {
    for (const [one, other, best] of [
      [better, worse, first.clock],
      [worse, better, second.clock],
    ] as const) {
      const device = await PtpDevice.following({ ...first, ...one }, { ...second, ...other });
      device.pass(15);
      expect(device.state.Ptp.Master).toBe(`${best}-1`);
    }
  });

  test('is the one with the smaller identity, if all else is equal', async () => {
    const device = await PtpDevice.following(second, first);
    device.pass(15);
    expect(device.state.Ptp.Grandmaster).toBe(first.clock);
  });

  test('stays, if an equal one announces itself from another address', async () => {
    const device = await PtpDevice.following(first, { ...first, address: '10.0.0.66' });
    device.pass(60);
    expect(device.state.Ptp.State).toBe(PtpState.SLAVE);
    expect(device.logged.filter((line) => line === 'The scanner follows a PTP master')).toHaveLength(1);
  });

  test('must have announced itself twice', async () => {
    const device = await PtpDevice.following({ ...first, announceInterval: 2 });
    device.pass(7.9);
    expect(device.state.Ptp.State).toBe(PtpState.LISTENING);
    device.pass(0.2);
    expect(device.state.Ptp.State).toBe(PtpState.UNCALIBRATED);
  });

  test('replaces a worse one without a step, and the other way round when it vanishes', async () => {
    const device = await PtpDevice.following({ ...first, priority1: 128 });
    device.pass(30);
    const better = device.add({ ...second, priority1: 100, ahead: hour + 0.8 });
    device.pass(8);
    expect(device.state.Ptp).toMatchObject({ Master: `${second.clock}-1`, Priority1: 100 });
    device.pass(40);
    expect(Math.abs(device.error(better))).toBeLessThan(0.02);
    better.isSilent = true;
    device.pass(8);
    expect(device.state.Ptp.Priority1).toBe(128);
    device.pass(40);
    expect(Math.abs(device.error())).toBeLessThan(0.02);
    expect(device.logged.filter((line) => line.includes('corrected'))).toEqual([]);
    expect(device.logged.filter((line) => line === 'The scanner follows a PTP master')).toHaveLength(3);
  });
});

describe('messages', () => {
  test.each<[string, (device: PtpDevice) => void]>([
    ['of another domain', ({ master }) => master.announce({ domain: 1 })],
    ['of another profile', ({ master }) => master.announce({ sdoId: 0x100 })],
    ['of an alternate master', ({ master }) => master.announce({ flags: 0x0100 })],
    ['of a master that is 255 steps away', ({ master }) => master.announce({ stepsRemoved: 255 })],
  ])('%s select no master', async (_, announce) => {
    const device = await PtpDevice.following({ ...first, announceInterval: 4 });
    for (let time = 0; time < 8; time++) {
      announce(device);
      device.pass(1);
    }
    expect(device.state.Ptp.State).toBe(PtpState.LISTENING);
  });

  test('that are no PTP messages change nothing', async () => {
    const device = await PtpDevice.following(first);
    device.pass(10);
    const before = device.state.Ptp.Master;
    for (let length = 0; length < 70; length++) {
      const bytes = new Uint8Array(length).fill(0xff);
      device.network.listener?.received({ bytes, received: 0, from: first.address, isUnicast: false });
    }
    expect(device.state.Ptp.Master).toBe(before);
    expect(device.test.device.errors.counts.total).toBe(0);
  });

  test('of the selected clock from another address do not move the clock', async () => {
    const device = await PtpDevice.following(first);
    device.pass(10);
    device.add({ ...first, address: '10.0.0.66', announceInterval: 6, ahead: 9 * hour, oneStep: true });
    device.pass(30);
    expect(Math.abs(device.error())).toBeLessThan(0.01);
  });

  test('of the selected clock from another address do not stand in for its own', async () => {
    const device = await PtpDevice.following({ ...first, announceInterval: 0 });
    device.pass(10);
    device.master.sendsSync = false;
    device.add({ ...first, address: '10.0.0.66', announceInterval: 6, oneStep: true });
    device.pass(30);
    expect(device.state.Ptp.State).toBe(PtpState.UNCALIBRATED);
    expect(device.state.Fault).toBe('the PTP master sends no Sync, or no Follow_Up');
  });

  test('of the selected master that are hours ahead once do not move the clock, and if they stay so, they do', async () => {
    const device = await PtpDevice.following({ ...first, delayToScanner: () => 0.1, back: () => 0.1 });
    device.pass(20);
    device.master.script.ahead = 5 * hour;
    device.pass(2);
    device.master.script.ahead = hour;
    device.pass(10);
    expect(Math.abs(device.error())).toBeLessThan(0.05);
    expect(device.logged.filter((line) => line.includes('corrected'))).toEqual([]);
    device.master.script.ahead = -5 * hour;
    device.pass(20);
    expect(Math.abs(device.error())).toBeLessThan(0.05);
  });
});

describe('rogue masters', () => {
  test('that announce themselves once, in great numbers, do not replace the selected one', async () => {
    const device = await PtpDevice.following(first);
    device.pass(20);
    for (let number = 0; number < 5000; number++) {
      device.master.announce({
        priority1: 0,
        grandmaster: identity(number),
        source: { clock: identity(number), port: 1 },
      });
      if (number % 500 === 0) device.pass(1);
    }
    device.pass(1);
    expect(device.state.Ptp).toMatchObject({ Master: `${first.clock}-1`, State: PtpState.SLAVE });
  });

  test('that take turns change the master at most every two seconds', async () => {
    const device = await PtpDevice.following(first);
    device.pass(10);
    for (let number = 200; number > 0; number--) {
      const source = { clock: identity(number), port: 1 };
      for (let time = 0; time < 2; time++) {
        device.master.announce({ priority1: 0, grandmaster: source.clock, source, logInterval: -4 });
      }
      device.pass(0.1);
    }
    const changes = device.logged.filter((line) => line === 'The scanner follows a PTP master').length;
    expect(changes).toBeGreaterThan(2);
    expect(changes).toBeLessThan(14);
  });

  test('get no request until they are selected, and a selected one not more than it wants', async () => {
    const device = await PtpDevice.following({ ...first, priority1: 1, requestInterval: 2 }, second);
    device.pass(minute);
    const [selected, other] = device.network.masters;
    const unicast = selected?.requests.filter(({ to }) => to !== undefined) ?? [];
    expect(unicast).toEqual([]);
    // The first one comes before the master has stated its interval.
    expect(selected?.requests.length).toBeGreaterThan(9);
    expect(selected?.requests.length).toBeLessThan(16);
    expect(other?.requests.length).toBe(selected?.requests.length);
  });

  test('that want very many requests get eight a second', async () => {
    const device = await PtpDevice.following({ ...first, requestInterval: -7, syncInterval: -7 });
    device.pass(10);
    const before = device.master.requests.length;
    device.pass(10);
    expect(device.master.requests.length - before).toBeLessThanOrEqual(80);
    expect(device.master.requests.length - before).toBeGreaterThan(50);
  });
});

test('a master that sends to the scanner alone gets requests alone', async () => {
  const device = await PtpDevice.following({ ...first, isUnicast: true });
  device.pass(20);
  expect(device.state.Synchronised).toBe(true);
  expect(new Set(device.master.requests.map(({ to }) => to))).toEqual(new Set([first.address]));
});

describe('a master that vanishes', () => {
  test('leaves a clock that runs on for five minutes, and is followed without a step when it is back', async () => {
    const device = await PtpDevice.following({
      ...first,
      drift: 200,
      delayToScanner: () => 0.1,
      back: () => 0.1,
    });
    device.pass(2 * minute);
    device.master.isSilent = true;
    device.pass(10);
    expect(device.state).toMatchObject({ Synchronised: true, Fault: 'no PTP master is heard' });
    expect(device.state.Ptp).toMatchObject({ State: PtpState.LISTENING, Grandmaster: '', Master: '' });
    device.pass(4 * minute);
    expect(Math.abs(device.error())).toBeLessThan(0.5);
    device.master.isSilent = false;
    device.pass(minute);
    expect(device.state).toMatchObject({ Synchronised: true, Fault: '', Ptp: { State: PtpState.SLAVE } });
    expect(Math.abs(device.error())).toBeLessThan(0.02);
    expect(device.logged.slice(3)).toEqual([
      'The PTP master does not give the time',
      'The PTP master is lost',
      'The scanner follows a PTP master',
    ]);
  });

  test('in the middle of a correction leaves a clock that corrects no further', async () => {
    const device = await PtpDevice.following({ ...first, delayToScanner: () => 0.1, back: () => 0.1 });
    device.pass(20);
    device.master.script.ahead = hour + 60;
    device.pass(20);
    const left = device.error();
    expect(left).toBeLessThan(-40);
    device.master.isSilent = true;
    device.pass(3 * minute);
    expect(device.error()).toBeLessThan(-35);
  });

  test('leaves a clock that is not synchronised any more after that', async () => {
    const device = await PtpDevice.following(first);
    device.pass(20);
    device.master.isSilent = true;
    device.pass(5 * minute + 10);
    expect(device.state.Synchronised).toBe(false);
    expect(device.telegramTime).toBeLessThan(600e6);
    device.master.script.ahead = hour + 50;
    device.master.isSilent = false;
    device.pass(10);
    expect(device.state.Synchronised).toBe(true);
    expect(Math.abs(device.error())).toBeLessThan(0.01);
  });

  test.each([
    ['Sync', 'sendsSync', 'the PTP master sends no Sync, or no Follow_Up'],
    ['Delay_Resp', 'responds', 'the PTP master does not answer Delay_Req'],
  ] as const)('without %s from the start is reported', async (_, what, fault) => {
    const device = await PtpDevice.following(first);
    device.master[what] = false;
    device.pass(20);
    expect(device.state).toMatchObject({ Synchronised: false, Fault: fault });
    expect(device.state.Ptp.State).toBe(PtpState.UNCALIBRATED);
    device.pass(60);
    expect(device.logged).toEqual([
      'The scanner follows a PTP master',
      'The PTP master does not give the time',
    ]);
    device.master[what] = true;
    device.pass(20);
    expect(device.state).toMatchObject({ Synchronised: true, Fault: '' });
  });

  test('with its Sync alone is reported, and the clock runs on', async () => {
    const device = await PtpDevice.following({ ...first, drift: 100 });
    device.pass(minute);
    device.master.sendsSync = false;
    device.pass(20);
    expect(device.state.Ptp.State).toBe(PtpState.UNCALIBRATED);
    expect(device.state.Synchronised).toBe(true);
    expect(Math.abs(device.error())).toBeLessThan(0.05);
    device.master.sendsSync = true;
    device.pass(5);
    expect(device.state.Ptp.State).toBe(PtpState.SLAVE);
  });
});

test('ports that cannot be opened are reported once, and used when they are open', async () => {
  const device = await PtpDevice.following(first);
  device.pass(5);
  const { listener } = device.network;
  for (let time = 0; time < 3; time++) listener?.failed('port 319 is in use');
  expect(device.state).toMatchObject({ Fault: 'port 319 is in use', Ptp: { State: PtpState.FAULTY } });
  expect(device.logged.filter((line) => line.startsWith('The PTP ports cannot be opened'))).toHaveLength(1);
  listener?.opened();
  device.pass(10);
  expect(device.state).toMatchObject({ Synchronised: true, Fault: '', Ptp: { State: PtpState.SLAVE } });
});
