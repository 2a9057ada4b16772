import { describe, expect, test } from 'vitest';
import { Clocked } from './clocked-device.js';

const second = 1000;
const hour = 3_600_000;

describe('a server that gives no time', () => {
  test('is asked sooner than after the update time, after twice the time each time, and once a minute in the end', async () => {
    const clocked = await Clocked.open();
    clocked.write({ role: 1 });
    const waits: number[] = [];
    for (let miss = 0; miss < 8; miss++) {
      await clocked.servers.miss();
      waits.push(clocked.state.NextExchange);
      await clocked.pass(clocked.state.NextExchange * second);
    }
    expect(waits).toEqual([2, 4, 8, 16, 32, 64, 64, 64]);
    expect(clocked.state).toMatchObject({ Missed: 8, Fault: 'nobody there', Synchronised: false });
    await clocked.servers.respondWithTime(0);
    expect(clocked.state).toMatchObject({ Missed: 0, Fault: '', NextExchange: 600, Synchronised: true });
  });

  test('never gets a request later than after the update time', async () => {
    const clocked = await Clocked.open();
    clocked.write({ role: 1, updateTime: 3 });
    await clocked.servers.miss();
    await clocked.pass(2 * second);
    await clocked.servers.miss();
    expect(clocked.state.NextExchange).toBe(3);
  });

  test('is logged once, after three requests, and once when it is back', async () => {
    const clocked = await Clocked.open();
    clocked.write({ role: 1 });
    await clocked.servers.respondWithTime(0);
    await clocked.pass(600 * second);
    for (let miss = 0; miss < 5; miss++) {
      await clocked.servers.miss();
      await clocked.pass(clocked.state.NextExchange * second);
    }
    await clocked.servers.respondWithTime(0);
    expect(clocked.logged).toEqual([
      'The clock is synchronised',
      'From the next scan on, times in telegrams are µs since 1970-01-01 UTC',
      'The time server does not give the time',
      'The clock is synchronised',
    ]);
    expect(clocked.testDevice.log.lines[2]?.facts).toEqual({
      server: '192.168.0.11',
      missed: 3,
      reason: 'nobody there',
    });
  });

  test('has its last time for three update times, and the clock runs on after that', async () => {
    const clocked = await Clocked.open();
    clocked.write({ role: 1, updateTime: 20 });
    await clocked.servers.respondWithTime(hour);
    let passed = 0;
    const tick = async () => {
      if (clocked.servers.hasRequest) await clocked.servers.miss();
      await clocked.pass(second);
      passed += 1;
    };
    while (passed < 59) await tick();
    expect(clocked.state.Synchronised).toBe(true);
    await tick();
    expect(clocked.state.Synchronised).toBe(false);
    expect(clocked.logged).toContain('The clock is no longer synchronised');
    expect(clocked.shows).toBe('2026-01-15 14:01:00');
  });

  test('has a clock of a short update time synchronised for ten seconds', async () => {
    const clocked = await Clocked.open();
    clocked.write({ role: 1, updateTime: 1 });
    await clocked.servers.respondWithTime(0);
    await clocked.pass(9999);
    expect(clocked.state.Synchronised).toBe(true);
    await clocked.pass(1);
    expect(clocked.state.Synchronised).toBe(false);
  });

  test('has its last response count for the new update time', async () => {
    const clocked = await Clocked.open();
    clocked.write({ role: 1 });
    await clocked.servers.respondWithTime(0);
    clocked.write({ updateTime: 10 });
    await clocked.pass(30 * second - 1);
    expect(clocked.state.Synchronised).toBe(true);
    await clocked.pass(1);
    expect(clocked.state.Synchronised).toBe(false);
  });

  test('because it wants fewer requests has its last response count for longer', async () => {
    const clocked = await Clocked.open();
    clocked.write({ role: 1, updateTime: 20 });
    await clocked.servers.respondWithTime(0);
    await clocked.pass(20 * second);
    await clocked.servers.respond({ kind: 'slower' });
    // Three times 40 s since the response.
    await clocked.pass(100 * second - 1);
    expect(clocked.state.Synchronised).toBe(true);
    await clocked.pass(1);
    expect(clocked.state.Synchronised).toBe(false);
  });

  test('and refuses requests gets none, until somebody writes its settings', async () => {
    const clocked = await Clocked.open();
    clocked.write({ role: 1 });
    await clocked.servers.respond({ kind: 'refused', reason: 'no (DENY)' });
    expect(clocked.state).toMatchObject({ NextExchange: 0, Fault: 'no (DENY)' });
    await clocked.pass(30 * 24 * hour);
    expect(clocked.servers.addresses).toHaveLength(1);
    clocked.write({ updateTime: 60 });
    expect(clocked.servers.addresses).toHaveLength(2);
  });

  test('and wants fewer requests gets half as many from then on', async () => {
    const clocked = await Clocked.open();
    clocked.write({ role: 1, updateTime: 5 });
    await clocked.servers.respond({ kind: 'slower' });
    expect(clocked.state.NextExchange).toBe(16);
    await clocked.pass(16 * second);
    await clocked.servers.respond({ kind: 'slower' });
    expect(clocked.state.NextExchange).toBe(32);
    await clocked.pass(32 * second);
    await clocked.servers.respondWithTime(0);
    expect(clocked.state.NextExchange).toBe(32);
    await clocked.pass(second);
    clocked.write({ updateTime: 6 });
    await clocked.servers.respondWithTime(0);
    expect(clocked.state.NextExchange).toBe(6);
  });
});
