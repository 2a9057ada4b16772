import { readFileSync } from 'node:fs';
import type { Device } from '@azimuth/device';
import { array, object } from '@azimuth/test-support/json';
import { SceneScanner, source } from '@azimuth/test-support/scene-scanner';
import { until } from '@azimuth/test-support/waiting';
import { describe, expect, it } from 'vitest';

type Condition = Parameters<Device['features']['deviceStatus']['conditions']['set']>[0];

/** The port whose output follows DRDY. */
const port = 3;

async function scannerWithReadyLamp(): Promise<SceneScanner> {
  const scanner = await SceneScanner.start();
  await scanner.configure({ [port]: { PortType: 1, OutputSettings: { Sources: [source('DRDY')] } } });
  return scanner;
}

interface Face {
  readonly status: number;
  readonly short: number;
  readonly ready: boolean;
  readonly lamp: string;
}

const colors = ['green', 'yellow', 'red', 'white'];
const functions: Readonly<Record<number, string>> = { 0: '', 2: ', blinking' };

/** What a scanner tells of its state, over REST and by its output. */
async function faceOf(scanner: SceneScanner): Promise<Face> {
  const lamps = array(await scanner.client.value('LEDState')).map(object);
  const lamp = object(lamps.find(({ Id }) => Id === 'LED2'));
  return {
    status: Number(await scanner.client.value('DeviceStatus')),
    short: Number(await scanner.client.value('SCdevicestate')),
    ready: await scanner.isOn(port),
    lamp: `${colors[Number(lamp.Color)]}${functions[Number(lamp.Function)]}`,
  };
}

/** The table of docs/status.md, the gravest first. */
const documented: readonly (Face & { readonly name: string })[] = readFileSync(
  new URL('../../docs/status.md', import.meta.url),
  'utf8',
)
  .split('\n')
  .flatMap((line) => {
    const cells = line.split('|').map((cell) => cell.trim());
    const [, number, name] = /^([0-9]) (DS_\w+)$/.exec(cells[1] ?? '') ?? [];
    if (number === undefined || name === undefined) return [];
    return [
      {
        name,
        status: Number(number),
        short: Number(cells[3]?.[0]),
        ready: cells[4] === 'on',
        lamp: cells[5] ?? '',
      },
    ];
  });

const face = (wanted: number): Face => {
  const { name: _, ...rest } = documented.find(({ status }) => status === wanted) ?? { name: '' };
  return { status: 0, short: 0, ready: false, lamp: '', ...rest };
};

const conditions: readonly Condition[] = [
  'DS_FatalError',
  'DS_Startup',
  'DS_ServiceMode',
  'DS_RecoverableError',
  'DS_ServiceRequired',
  'DS_SuspendedOperation',
  'DS_ServiceRecommended',
];

describe('the state of a scanner', () => {
  it('is ready in normal operation and with a warning, busy or in error in every other state', () => {
    expect(documented.map(({ status, short, ready }) => [status, short, ready])).toEqual([
      [8, 2, false],
      [1, 0, false],
      [2, 0, false],
      [7, 2, false],
      [6, 2, false],
      [4, 0, false],
      [5, 1, true],
      [3, 1, true],
    ]);
    expect(documented.map(({ name }) => name)).toEqual([...conditions, 'DS_NormalOperation']);
  });

  it.each(conditions)('%s is reported as in docs/status.md', async (condition) => {
    const scanner = await scannerWithReadyLamp();
    const wanted = documented.find(({ name }) => name === condition);
    scanner.testScanner.service.device.features.deviceStatus.conditions.set(
      condition,
      'a core says so',
      true,
    );
    expect({ name: condition, ...(await faceOf(scanner)) }).toEqual(wanted);
    scanner.testScanner.service.device.features.deviceStatus.conditions.set(
      condition,
      'a core says so',
      false,
    );
    expect(await faceOf(scanner)).toEqual(face(3));
  });
});

describe('a scanner is not ready', () => {
  it('while measuring is stopped, also in standby, and becomes ready when it starts', async () => {
    const scanner = await scannerWithReadyLamp();
    for (const [method, status] of [
      ['mStopMeasure', 4],
      ['mStartMeasure', 3],
      ['mStandby', 4],
      ['mStartMeasure', 3],
    ] as const) {
      expect(await scanner.callDone(method)).toEqual({ ErrorCode: 0 });
      expect(await faceOf(scanner), method).toEqual(face(status));
    }
  });

  it('after a boot without AutoStartMeasure', async () => {
    const scanner = await scannerWithReadyLamp();
    await scanner.write('AutoStartMeasure', false);
    await scanner.reboot();
    expect(await faceOf(scanner)).toEqual(face(4));
  });

  it('with a contamination error, but stays ready with a warning', async () => {
    const scanner = await scannerWithReadyLamp();
    const config = object(await scanner.client.value('ContaminationConfig'));
    await scanner.write('ContaminationConfig', { ...config, eStrategy: 2 });
    for (const [level, status] of [
      [0.2, 5],
      [0.5, 6],
      [0, 3],
    ] as const) {
      await scanner.control('/contamination', { level, sector: 4 });
      scanner.pass(3000);
      expect(await faceOf(scanner), `${level}`).toEqual(face(status));
    }
  });

  it('while it is down: its output is off until it is up again', async () => {
    const scanner = await scannerWithReadyLamp();
    await scanner.callDone('WriteEeprom');
    expect((await scanner.portView(port)).active).toBe(true);
    await scanner.control('/power-cycle');
    await until(async () => (await scanner.overview()).up === false);
    expect((await scanner.portView(port)).active).toBe(false);
    await scanner.comeUp();
    expect(await faceOf(scanner)).toEqual(face(3));
  });
});
