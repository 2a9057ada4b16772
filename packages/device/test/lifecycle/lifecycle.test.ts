import { latch, promisesSettled } from '@azimuth/test-support/waiting';
import { beforeEach, expect, test } from 'vitest';
import { type RebootKind, VirtualClock } from '../../src/index.js';
import { Lifecycle } from '../../src/lifecycle/lifecycle.js';

let clock: VirtualClock;
let seen: string[];
let restarts: RebootKind[];
let load: () => Promise<void>;
let lifecycle: Lifecycle;

beforeEach(() => {
  clock = new VirtualClock();
  seen = [];
  restarts = [];
  load = async () => {};
  lifecycle = new Lifecycle({
    clock,
    restart: (kind) => {
      restarts.push(kind);
      return new Promise((resolve) => void clock.after(2000, resolve));
    },
    failed: (error) => seen.push(String(error)),
    listenerFailed: (error) => seen.push(`listener: ${String(error)}`),
  });
  lifecycle.onDown(() => seen.push('down'));
  lifecycle.onUp(() => {
    seen.push(`up while ${lifecycle.phase}`);
  });
});

const start = (powerOn = async () => {}) =>
  lifecycle.start({
    powerOn,
    boot: async () => {
      seen.push(`load while ${lifecycle.phase}`);
      await load();
    },
    pause: () => seen.push('paused'),
    resume: () => seen.push('resumed'),
  });

test('the first start loads at once, without the boot time, and does not call the listeners of a reboot', async () => {
  expect(lifecycle.phase).toBe('starting');
  await start();
  expect(lifecycle.phase).toBe('up');
  expect(seen).toEqual(['load while starting']);
});

test('a reboot goes down at once, and comes back after the boot time', async () => {
  await start();
  seen = [];
  lifecycle.reboot();
  expect([lifecycle.phase, seen]).toEqual(['down', ['down']]);
  clock.advance(1999);
  await promisesSettled();
  expect([lifecycle.phase, seen]).toEqual(['down', ['down']]);
  clock.advance(1);
  await promisesSettled();
  expect([lifecycle.phase, seen]).toEqual(['up', ['down', 'load while starting', 'up while up']]);
});

test('it is up only when all is loaded', async () => {
  await start();
  const loading = latch();
  load = () => loading.opened;
  lifecycle.reboot();
  clock.advance(2000);
  await promisesSettled();
  expect(lifecycle.phase).toBe('starting');
  loading.open();
  await promisesSettled();
  expect(lifecycle.phase).toBe('up');
});

test('a power cycle is counted before loading', async () => {
  await start(async () => {
    seen.push('counted');
  });
  expect(seen).toEqual(['counted', 'load while starting']);
  seen = [];
  lifecycle.powerCycle();
  clock.advance(2000);
  await promisesSettled();
  expect(seen).toEqual(['down', 'counted', 'load while starting', 'up while up']);
});

test('a reboot of a scanner that is down or starting changes nothing', async () => {
  lifecycle.reboot();
  expect(lifecycle.phase).toBe('starting');
  await start();
  lifecycle.reboot();
  seen = [];
  clock.advance(1000);
  lifecycle.reboot();
  clock.advance(1000);
  await promisesSettled();
  expect(seen).toEqual(['load while starting', 'up while up']);
  clock.advance(10_000);
  await promisesSettled();
  expect(lifecycle.phase).toBe('up');
});

test('it can reboot again and again', async () => {
  await start();
  for (let time = 0; time < 3; time++) {
    lifecycle.reboot();
    clock.advance(2000);
    await promisesSettled();
    expect(lifecycle.phase).toBe('up');
  }
  expect(seen.filter((line) => line === 'down')).toHaveLength(3);
});

test('the end calls off a boot that is pending', async () => {
  await start();
  lifecycle.reboot();
  seen = [];
  lifecycle.end();
  clock.advance(10_000);
  await promisesSettled();
  expect([lifecycle.phase, seen]).toEqual(['down', []]);
});

test('the end in the middle of a boot is final: nothing comes up any more', async () => {
  await start();
  const loading = latch();
  load = () => loading.opened;
  lifecycle.reboot();
  clock.advance(2000);
  await promisesSettled();
  seen = [];
  lifecycle.end();
  loading.open();
  await promisesSettled();
  expect([lifecycle.phase, seen]).toEqual(['down', []]);
});

test('a reboot while a listener opens something calls no other listener until it is up again', async () => {
  await start();
  const opening = [latch(), latch()];
  let ups = 0;
  lifecycle.onUp(() => opening[ups++]?.opened);
  lifecycle.onUp(() => {
    seen.push(`opened while ${lifecycle.phase}`);
  });
  lifecycle.reboot();
  clock.advance(2000);
  await promisesSettled();
  lifecycle.reboot();
  opening[0]?.open();
  await promisesSettled();
  clock.advance(2000);
  await promisesSettled();
  opening[1]?.open();
  await promisesSettled();
  expect(seen.filter((line) => line.startsWith('opened'))).toEqual(['opened while up']);
});

test('the end while a listener opens something is final, too: no other listener is called', async () => {
  await start();
  const opening = latch();
  lifecycle.onUp(() => opening.opened);
  lifecycle.onUp(() => {
    seen.push('opened after the end');
  });
  lifecycle.reboot();
  clock.advance(2000);
  await promisesSettled();
  seen = [];
  lifecycle.end();
  opening.open();
  await promisesSettled();
  expect([lifecycle.phase, seen]).toEqual(['down', []]);
});

test('a boot that fails is reported and tried again', async () => {
  await start();
  load = () => Promise.reject(new Error('no disk'));
  lifecycle.reboot();
  clock.advance(2000);
  await promisesSettled();
  expect(seen).toContain('Error: no disk');
  expect(lifecycle.phase).not.toBe('up');
  load = async () => {};
  lifecycle.reboot();
  clock.advance(2000);
  await promisesSettled();
  expect(lifecycle.phase).toBe('up');
});
