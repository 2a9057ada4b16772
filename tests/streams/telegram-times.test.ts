import { VirtualClock } from '@azimuth/device';
import { object, parse } from '@azimuth/test-support/json';
import { encoderOf, imuOf } from '@azimuth/test-support/streams/pulses';
import { UdpReceiver } from '@azimuth/test-support/streams/receiver';
import type { Segment } from '@azimuth/test-support/streams/telegram';
import { VirtualScanner } from '@azimuth/test-support/streams/virtual-scanner';
import { responseTo, stamp, TimeServer } from '@azimuth/test-support/time-server';
import { until } from '@azimuth/test-support/waiting';
import { describe, expect, it } from 'vitest';

const second = 1_000_000;
/** µs of a turn of profile 2. */
const turn = second / 15;
const year = 365 * 86_400 * 1000;

/** A time that a telegram tells, and what it belongs to. */
interface Told {
  readonly what: string;
  /** Times that have to be told by one clock; the first one says when it was measured. */
  readonly times: readonly number[];
}

/** A scanner on virtual time that sends all three streams, and a time server that is ahead of its clock, as far as told. */
class Streaming {
  ahead = year;
  isSilent = false;

  private constructor(
    readonly scanner: VirtualScanner,
    readonly server: TimeServer,
    readonly receivers: Readonly<Record<'scan' | 'imu' | 'encoder', UdpReceiver>>,
  ) {}

  static async start(format: 'MSGPACK' | 'Compact' = 'Compact'): Promise<Streaming> {
    const clock = new VirtualClock();
    const server = await TimeServer.open((request, { port }, socket) => {
      if (streaming.isSilent) return;
      const now = stamp(clock.utc() + streaming.ahead);
      socket.send(responseTo(request, { received: now, sent: now }), port);
    });
    const scanner = await VirtualScanner.start({ clock, timeServerPort: server.port });
    const receivers = {
      scan: await UdpReceiver.open(),
      imu: await UdpReceiver.open(),
      encoder: await UdpReceiver.open(),
    };
    const streaming: Streaming = new Streaming(scanner, server, receivers);
    await scanner.format(format);
    await scanner.write('TSCTCSrvAddr', [127, 0, 0, 1]);
    await scanner.write('EncSetting', 4);
    await scanner.write('ActualEncPosition1Enable', true);
    for (const name of ['scan', 'imu', 'encoder'] as const) {
      await scanner.send(name, 'UDP', receivers[name].port);
    }
    return streaming;
  }

  /** µs since the scanner came up. */
  get now(): number {
    return this.scanner.clock.monotonic() * 1000;
  }

  /** µs since 1970 UTC, by the server, when the scanner came up. */
  get epoch(): number {
    return (this.scanner.clock.utc() - this.scanner.clock.monotonic() + this.ahead) * 1000;
  }

  /** The turn of the mirror that comes next begins then, in whole µs since the scanner came up. */
  get nextTurn(): number {
    return Math.round(Math.floor(this.now / turn + 1 + 1e-6) * turn);
  }

  /** Does something that has the server asked, and waits for its answer: no time of the scanner's passes. */
  async answered(act: () => Promise<void>): Promise<void> {
    const before = this.told('From the next scan on').length;
    await act();
    await until(() => this.told('From the next scan on').length > before);
  }

  /** Has the server asked at once: another update time does that. */
  updateTime(seconds: number): Promise<void> {
    return this.scanner.write('TSCTCupdatetime', seconds);
  }

  role(role: 0 | 1): Promise<void> {
    return this.scanner.write('TSCRole', role);
  }

  told(beginning: string) {
    return this.scanner.log.lines.filter(({ message }) => message.startsWith(beginning));
  }

  async synchronised(): Promise<unknown> {
    const { text } = await this.scanner.client.send({ method: 'GET', path: '/x/time' });
    return object(object(object(parse(text)).data).time).Synchronised;
  }

  /** What comes while so much time (ms) passes: of every telegram the times that it tells. */
  async over(milliseconds: number): Promise<readonly Told[]> {
    await this.scanner.pass(milliseconds);
    const { scan, imu, encoder } = this.receivers;
    const frames = new Map<number, Segment[]>();
    for (const telegram of scan.rest()) {
      for (const segment of telegram.kind === 'scan' ? telegram.segments : []) {
        frames.set(segment.frame, [...(frames.get(segment.frame) ?? []), segment]);
      }
    }
    return [
      ...[...frames].map(([frame, parts]) => ({
        what: `scan ${frame}`,
        times: parts.flatMap(({ firstTime, lastTime, transmitTime }) => [firstTime, lastTime, transmitTime]),
      })),
      ...imuOf(imu.rest()).map(({ time }) => ({ what: 'IMU', times: [time] })),
      ...encoderOf(encoder.rest()).map(({ time, transmitTime, referenceTimes }) => ({
        what: 'encoder',
        times: [time, transmitTime, ...referenceTimes.filter((reference) => reference !== 0)],
      })),
    ];
  }
}

/**
 * Everything measured from `at` on (µs since the scanner came up) is told by the clock that was at `after` when the
 * scanner came up, everything before by the one at `before`, and a telegram or a scan by one of them alone.
 */
function expectSwitch(told: readonly Told[], at: number, before: number, after: number): void {
  const sides = { before: new Set<string>(), after: new Set<string>() };
  const lasts = 90 * second;
  for (const { what, times } of told) {
    const [first = 0] = times;
    // Which of the two clocks it is: nothing here lasts longer than that, and they are further apart.
    const isAfter = first - after >= 0 && first - after < lasts;
    const base = isAfter ? after : before;
    const measured = first - base;
    expect(measured, `${what} at ${first}`).toBeGreaterThanOrEqual(isAfter ? at : 0);
    expect(measured, `${what} at ${first}`).toBeLessThan(isAfter ? lasts : at);
    for (const time of times) expect(Math.abs(time - base - measured), what).toBeLessThan(2 * second);
    if (what.startsWith('scan')) {
      const beams = times.filter((_, index) => index % 3 !== 2);
      expect(beams, what).toEqual([...beams].sort((one, other) => one - other));
    }
    (isAfter ? sides.after : sides.before).add(what.split(' ')[0] ?? '');
  }
  // All three were seen on both sides.
  expect([...sides.before].sort()).toEqual(['IMU', 'encoder', 'scan']);
  expect([...sides.after].sort()).toEqual(['IMU', 'encoder', 'scan']);
}

describe.each(['Compact', 'MSGPACK'] as const)('times in telegrams, scans as %s', (format) => {
  it('count from power-on, from 1970 UTC on while a time server is followed, and from power-on again', async () => {
    const streaming = await Streaming.start(format);
    const before = await streaming.over(490);
    // In the middle of a scan.
    let at = streaming.nextTurn;
    await streaming.answered(() => streaming.role(1));
    const { epoch } = streaming;
    expectSwitch([...before, ...(await streaming.over(510))], at, 0, epoch);
    expect(streaming.told('From the next scan on').map(({ message }) => message)).toEqual([
      'From the next scan on, times in telegrams are µs since 1970-01-01 UTC',
    ]);

    const running = await streaming.over(130);
    at = streaming.nextTurn;
    await streaming.role(0);
    expectSwitch([...running, ...(await streaming.over(500))], at, epoch, 0);
    expect(streaming.told('From the next scan on').at(-1)?.message).toBe(
      'From the next scan on, times in telegrams are µs since the last boot',
    );
  });

  it('are corrected between two scans, forwards and backwards, and the log tells it', async () => {
    const streaming = await Streaming.start(format);
    await streaming.answered(() => streaming.role(1));
    await streaming.over(500);
    let updateTime = 100;
    for (const correction of [90_500, -180_250.5]) {
      const running = await streaming.over(510);
      const before = streaming.epoch;
      streaming.ahead += correction;
      const at = streaming.nextTurn;
      await streaming.answered(() => streaming.updateTime(updateTime++));
      expectSwitch([...running, ...(await streaming.over(510))], at, before, streaming.epoch);
      expect(streaming.told('From the next scan on').at(-1)).toMatchObject({
        severity: 'info',
        message: 'From the next scan on, times in telegrams are corrected',
        facts: { correction },
      });
    }
  });
});

describe('times in telegrams', () => {
  it('stay with a server that is lost for three update times, and count from power-on then', async () => {
    const streaming = await Streaming.start();
    await streaming.updateTime(4);
    await streaming.answered(() => streaming.role(1));
    const { epoch } = streaming;
    streaming.isSilent = true;
    const asked = streaming.now;
    const running = await streaming.over(11_990);
    expect(await streaming.synchronised()).toBe(true);
    for (const { what, times } of running.filter(({ times: [time = 0] }) => time - epoch < 0)) {
      expect(times[0], what).toBeLessThan(asked + turn);
    }
    const kept = running.filter(({ times: [time = 0] }) => time >= epoch);
    const lost = Math.round(Math.floor((asked + 12 * second) / turn + 1 + 1e-6) * turn);
    expectSwitch([...kept, ...(await streaming.over(500))], lost, epoch, 0);
    expect(await streaming.synchronised()).toBe(false);
    expect(streaming.told('From the next scan on').map(({ message }) => message)).toEqual([
      'From the next scan on, times in telegrams are µs since 1970-01-01 UTC',
      'From the next scan on, times in telegrams are µs since the last boot',
    ]);
  });

  it('tell a reference signal by the clock of the reading, however long ago it came', async () => {
    const streaming = await Streaming.start();
    await streaming.over(500);
    await streaming.scanner.control('/encoder/reference', { signal: 1 });
    const signal = streaming.now;
    await streaming.over(100);
    await streaming.answered(() => streaming.role(1));
    await streaming.scanner.pass(200);
    const reading = encoderOf(streaming.receivers.encoder.rest()).at(-1);
    expect(reading?.referenceTimes).toEqual([streaming.epoch + signal, 0]);
    expect((reading?.time ?? 0) - (reading?.referenceTimes[0] ?? 0)).toBeGreaterThan(200_000);
  });

  it('change at once where nothing is measured', async () => {
    const streaming = await Streaming.start();
    await streaming.over(490);
    await streaming.scanner.call('mStopMeasure');
    await streaming.over(20);
    await streaming.answered(() => streaming.role(1));
    const switched = streaming.now;
    const [reading] = (await streaming.over(20)).filter(({ what }) => what === 'IMU');
    expect(reading?.times[0]).toBeGreaterThanOrEqual(streaming.epoch + switched);
  });

  it('do not wait for a scan that is stopped', async () => {
    const streaming = await Streaming.start();
    await streaming.over(470);
    const { nextTurn } = streaming;
    await streaming.answered(() => streaming.role(1));
    await streaming.over(10);
    await streaming.scanner.call('mStopMeasure');
    const stopped = streaming.now;
    const [reading] = (await streaming.over(10)).filter(({ what }) => what === 'IMU');
    expect(reading?.times[0]).toBeGreaterThanOrEqual(streaming.epoch + stopped);
    expect(streaming.now).toBeLessThan(nextTurn);
  });

  it('are the same in InertialMeasurementUnit and in the stream', async () => {
    const streaming = await Streaming.start();
    const value = async () =>
      object(await streaming.scanner.client.value('InertialMeasurementUnit')).TimeStamp;
    await streaming.over(500);
    expect(await value()).toBe(500_000);
    await streaming.answered(() => streaming.role(1));
    await streaming.over(500);
    expect(await value()).toBe(streaming.epoch + second);
  });

  it('count from power-on after a boot, until the server has answered again', async () => {
    const streaming = await Streaming.start();
    await streaming.answered(() => streaming.role(1));
    await streaming.over(500);
    await streaming.scanner.client.call('WriteEeprom');
    streaming.isSilent = true;
    await streaming.scanner.softReset();
    streaming.receivers.imu.rest();
    const [reading] = (await streaming.over(500)).filter(({ what }) => what === 'IMU');
    expect(reading?.times[0]).toBeLessThan(second);
  });
});
