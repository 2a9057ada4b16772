import type { MeasuringOrder, Scan } from '@azimuth/device';
import { extensions } from '@azimuth/model';
import { VirtualHardware } from '@azimuth/simulation';
import { FlatCore } from '@azimuth/test-support/flat-core';
import { array, number, object } from '@azimuth/test-support/json';
import { UdpReceiver } from '@azimuth/test-support/streams/receiver';
import type { Segment, Telegram } from '@azimuth/test-support/streams/telegram';
import { bootMilliseconds, TestScanner } from '@azimuth/test-support/test-scanner';
import { until } from '@azimuth/test-support/waiting';
import { describe, expect, it } from 'vitest';

const revolution = 1000 / 15;
const INACTIVE = 1;
const INFRINGED = 4;

function segmentOf(telegram: Telegram): Segment {
  const [segment] = telegram.kind === 'scan' ? telegram.segments : [];
  if (segment === undefined) throw new Error('no scan data');
  return segment;
}

/** A core of a board, whose receiver fails when told to. */
class Receiver extends FlatCore {
  spoil: ((scan: Scan) => void) | undefined;

  override start(order: MeasuringOrder, measured: (scan: Scan) => void): void {
    super.start(order, (scan) => {
      this.spoil?.(scan);
      measured(scan);
    });
  }
}

/** A board that is asked for its temperature, and does not always answer. */
class Board extends VirtualHardware {
  measured: () => number = () => 30;

  override temperature(): number {
    return this.measured();
  }
}

async function board() {
  const core = new Receiver();
  let hardware: Board | undefined;
  const scanner = await TestScanner.start({
    core,
    hardware: (log) => {
      hardware = new Board(log);
      return hardware;
    },
  });
  if (hardware === undefined) throw new Error('no hardware');
  return { core, scanner, hardware, client: scanner.client() };
}

async function metric(scanner: TestScanner, name: string): Promise<number> {
  const { httpStatus, text } = await scanner.client().send({ method: 'GET', path: '/metrics' });
  expect(httpStatus).toBe(200);
  return Number(new RegExp(`^${name} (.*)$`, 'm').exec(text)?.[1]);
}

describe('a receiver that measures no numbers', () => {
  it('leaves a field that is infringed unknown, in every interface, and its telegrams without echoes', async () => {
    const { core, scanner, client } = await board();
    const points = [
      { x: 1000, y: -1000 },
      { x: 3000, y: -1000 },
      { x: 3000, y: 1000 },
      { x: 1000, y: 1000 },
    ];
    const definitions = {
      evaluations: [{ Id: 1, Points: points }],
      groups: [{ Id: 1, Evaluations: [1] }],
    };
    scanner.service.device.write(extensions.members.fields, definitions, { level: 'Service' });
    const receiver = await UdpReceiver.open();
    const destination = { Protocol: 1, IPAddress: [127, 0, 0, 1], Port: receiver.port };
    await client.write('ScanDataEthSettings', destination);
    await client.write('ScanDataEnable', true);
    const state = async () => {
      const result = object(await client.value('FieldEvaluationResult'));
      return number(object(array(result.EvaluationResultList)[0]).State);
    };
    /** Waits for a telegram of a scan that begins from now on. Returns the nearest echoes of its beams. */
    const nearest = async () => {
      const { lastScan } = scanner.service.device.features.measuring;
      const after = (lastScan?.number ?? 0) + 1;
      let found: Segment | undefined;
      void receiver
        .find('scan data', (telegram) => telegram.kind === 'scan' && segmentOf(telegram).frame > after)
        .then((telegram) => {
          found = segmentOf(telegram);
        });
      await until(() => {
        scanner.clock.advance(10);
        return found !== undefined;
      });
      return new Set(found?.distance.map(([first]) => first));
    };
    scanner.clock.advance(500);
    expect(await state()).toBe(INFRINGED);
    expect(await nearest()).toEqual(new Set([2000]));
    for (const spoil of [
      (scan: Scan) => scan.distance.fill(Number.NaN),
      (scan: Scan) => {
        for (let place = 1; place < scan.distance.length; place += 3) scan.distance[place] = Number.NaN;
      },
    ]) {
      core.spoil = spoil;
      scanner.clock.advance(3 * revolution);
      expect(await nearest()).toEqual(new Set([0]));
      expect(await state()).toBe(INACTIVE);
      expect(await client.value('DeviceStatus')).toBe(7);
      expect(await client.value('SCdevicestate')).toBe(2);
      core.spoil = undefined;
      scanner.clock.advance(500);
      expect(await client.value('DeviceStatus')).toBe(3);
      expect(await state()).toBe(INFRINGED);
    }
  });
});

describe('a thermometer that fails', () => {
  it.each<[string, () => number]>([
    [
      'by an exception',
      () => {
        throw new Error('no bus');
      },
    ],
    ['by NaN', () => Number.NaN],
  ])('%s stops neither reads, metrics nor a reboot', async (_, celsius) => {
    const { scanner, hardware, client } = await board();
    expect(await client.value('CurrentTempDev')).toBe(30);
    hardware.measured = celsius;
    expect(await client.value('CurrentTempDev')).toBe(30);
    expect(await client.value('DeviceStatus')).toBe(7);
    expect(await metric(scanner, 'azimuth_temperature_celsius')).toBe(30);
    const { lifecycle } = scanner.service.device;
    lifecycle.reboot();
    scanner.clock.advance(bootMilliseconds);
    await until(() => lifecycle.phase === 'up' && scanner.service.ports.http !== null);
    expect(await scanner.client().value('DeviceStatus')).toBe(7);
    expect(scanner.service.device.lifecycle.failedBoots).toBe(0);
    hardware.measured = () => 60;
    scanner.clock.advance(1000);
    expect(await scanner.client().value('DeviceStatus')).toBe(3);
    expect(await scanner.client().value('temperatureAlarmStatus')).toBe(true);
  });
});
