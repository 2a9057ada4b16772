import { Scanner } from '@azimuth/client';
import { LegacyScanner } from '@azimuth/client/legacy';
import { extensions, FieldState, Refusal, type Variable } from '@azimuth/model';
import { bundleOf, issue } from '@azimuth/test-support/certificates';
import { Client, service } from '@azimuth/test-support/client';
import { changePassword } from '@azimuth/test-support/password-change';
import { temporaryFolder } from '@azimuth/test-support/serve-process';
import { type StartOptions, startScanner, type TestScanner } from '@azimuth/testing';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { validValue } from './valid-values.js';

/** What changes with time alone. */
const timely = new Set(['LSPdatetime', 'InertialMeasurementUnit', 'DailyOpHours', 'OpHours', 'time']);

/** The values of all variables of a scanner, and what no variable shows. */
async function everythingOf({ device, faults, ports }: TestScanner): Promise<Record<string, unknown>> {
  const { endpoints, extensions } = device.served;
  const variables = [...endpoints.values(), ...extensions.values()].filter((one) => one.kind === 'variable');
  const values = variables
    .filter(({ name }) => !timely.has(name))
    .map((variable) => [variable.name, device.read(variable)]);
  const { parameters, features, access } = device;
  const { backups, deviceStatus, diagnosis, encoder, legacyInterfaces, measuring, network, scanMerge } =
    features;
  return structuredClone({
    ...Object.fromEntries(values),
    edition: device.served.edition,
    stored: parameters.layer('stored'),
    working: parameters.layer('working'),
    conditions: deviceStatus.conditions.inForce,
    measuring: measuring.state,
    network: network.reachable,
    levels: features.userLevels.openFactoryPasswords(),
    locked: [access.lockout.locked, legacyInterfaces.access.lockout.locked],
    challenges: access.pending,
    ticks: encoder.reading.ticks,
    ports: features.ports.overview,
    open: { ...ports },
    faults: faults.list,
    backup: await backups.file().then((file) => file && Buffer.from(file).toString('latin1')),
    archive: await diagnosis.label(),
    cloud: (await scanMerge.cloud())?.bytes,
    webserver: features.webserver.isEnabled,
  });
}

/** Gives each parameter another value that the scanner accepts. Returns the names of those that have no other one. */
function changeParameters({ device }: TestScanner, seed: number): readonly string[] {
  const unchanged: string[] = [];
  for (const variable of device.parameters.variables) {
    const before = JSON.stringify(device.parameters.read(variable));
    const others = fc
      .sample(validValue(variable.type.shape), { numRuns: 60, seed })
      .filter((value) => JSON.stringify(value) !== before);
    if (!others.some((value) => isAccepted(device, variable, value))) unchanged.push(variable.name);
  }
  return unchanged;
}

function isAccepted(device: TestScanner['device'], variable: Variable<unknown>, value: unknown): boolean {
  try {
    const checked = variable.valueFrom(value);
    void device.parameters.change((change) => change.set(variable, checked));
    return true;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}

const wall = { walls: [{ from: [1, -5], to: [1, 5] }] } as const;

const field = () =>
  extensions.members.fields.valueFrom({
    evaluations: [
      {
        ...{ Id: 1, Name: 'near' },
        Points: [
          { x: 0, y: 0 },
          { x: 3000, y: -1000 },
          { x: 3000, y: 1000 },
        ],
      },
    ],
    groups: [{ Id: 1, Evaluations: [1] }],
  });

/** What a test can do beside writing parameters. */
const acts: Readonly<Record<string, (scanner: TestScanner) => Promise<unknown>>> = {
  'a temperature with an alarm': async ({ client, simulation }) => {
    await client.write('temperatureAlarmConfiguration', { upperThreshold: 40, lowerThreshold: 30 });
    await simulation.temperature(60);
  },
  'dirt with an error': async (scanner) => {
    const before = scanner.read('ContaminationConfig');
    await scanner.write('ContaminationConfig', {
      ...before,
      ...{ eStrategy: 2, bEnableWarning: true, bEnableError: true },
    });
    await scanner.simulation.contamination(0.8);
    await scanner.advance(60_000);
  },
  'inputs with their counters': async (scanner) => {
    const ports = scanner.read('PortConfiguration').map((port) => ({ ...port, PortType: 1 as const }));
    await scanner.write('PortConfiguration', ports);
    for (const high of [true, false, true]) {
      await scanner.simulation.input(1, high);
      await scanner.advance(1000);
    }
  },
  'ticks of the encoder': async (scanner) => {
    await scanner.client.write('EncSetting', 3);
    await scanner.simulation.encoder(1000);
    await scanner.advance(500);
  },
  'measuring that is off': ({ client }) => client.call('mStopMeasure'),
  'a lamp that blinks': ({ client }) => client.call('FindMe', { uiDuration: 600 }),
  'another user level': ({ client }) => client.call('EnableUserLevel', { userLevel: 2, isEnabled: true }),
  'a legacy password': ({ client }) =>
    client.call('SetPassword', { siUserLevel: 4, udiNewPassword: 3_141_592_653 }),
  'a login lock': async ({ url }) => {
    const stranger = new Scanner({ url, password: 'wrong' });
    for (let attempt = 0; attempt < 5; attempt += 1)
      await stranger.write('LocationName', 'Gate 3').catch(() => undefined);
  },
  'a legacy login lock': async ({ ports }) => {
    const stranger = await LegacyScanner.connect({ host: '127.0.0.1', port: ports.legacyA ?? 0 });
    onTestFinished(() => stranger.close());
    for (let attempt = 0; attempt < 5; attempt += 1)
      await stranger.login('Service', 'wrong').catch(() => undefined);
  },
  'a pending challenge': ({ client }) => client.call('getChallenge', { user: 'Service' }),
  'a web server that is off from now on': async (scanner) => {
    await scanner.client.call('SetWebserverEnabled', { Enable: false });
    await scanner.powerCycle();
  },
  'a backup': ({ client }) => client.call('CreateParameterBackup', { Passphrase: '' }),
  'an archive': ({ client }) => client.call('DoDiagnosisDump', { DoRunlevelLoop: false, Output: 'a' }),
  'a 3D recording': async (scanner) => {
    await scanner.client.write('ScanMergerEnabled', true);
    await scanner.client.call('StartScanMerge');
    await scanner.advance(1000);
    await scanner.client.call('StopScanMerge');
    await scanner.advance(2000);
  },
  'HTTPS with certificates': async ({ client }) => {
    const { success } = await client.call('setCertificateBundle', bundleOf([issue()]));
    expect(success).toBe(true);
  },
  'saved parameters': async ({ client }) => {
    await client.write('LocationName', 'saved');
    await client.call('WriteEeprom');
  },
  'network settings in force': async (scanner) => {
    await scanner.client.write('EtherIPAddress', [10, 1, 2, 3]);
    await scanner.client.call('EthernetUpdate');
    await scanner.idle();
  },
  'legacy interfaces that are closed': async (scanner) => {
    await scanner.client.write('EtherAuxEnabled', false);
    await scanner.client.call('EthernetUpdate');
    await scanner.idle();
  },
  'a power cut': (scanner) => scanner.powerCycle(),
  'power that is off': (scanner) => scanner.power.off(),
  'a reboot that is under way': async (scanner) => {
    await scanner.client.call('RebootDevice');
    await scanner.idle();
  },
  'planned faults': async (scanner) => {
    scanner.faults.add({
      faults: [
        { kind: 'device-status', status: 7, for: 10_000 },
        { kind: 'device-temperature', celsius: 90 },
        { kind: 'http-status', endpoint: 'SerialNumber', every: 2 },
      ],
    });
    await scanner.advance(10);
    await scanner.client.read('SerialNumber');
  },
  'a scene, and a field in which an object is': async (scanner) => {
    await scanner.client.write('x/fields', field());
    await scanner.simulation.scene(wall);
    await scanner.advance(2000);
  },
};

describe('a snapshot', () => {
  test('keeps connections and registrations, and announces each value that differs once', async () => {
    const scanner = await started();
    const snapshot = await scanner.snapshot();
    const names: string[] = [];
    scanner.device.announcements.subscribe((changed) => names.push(...changed.map(({ name }) => name)));
    const changes = scanner.client.changes({ names: ['LocationName'] });
    const seen: unknown[] = [];
    const reading = (async () => {
      for await (const { changed } of changes) seen.push(changed);
    })();
    await scanner.journal.registration('LocationName');
    await scanner.write('LocationName', 'Gate 3');
    await scanner.write('ScanDataEnable', true);
    await scanner.write('ScanDataEnable', false);
    names.length = 0;
    await scanner.restore(snapshot);
    await scanner.idle();
    expect(names).toEqual(['LocationName']);
    expect(seen).toEqual([{ LocationName: 'Gate 3' }, { LocationName: 'not defined' }]);
    changes.close();
    await reading;
  });

  test('gives a lock the time that was left, and takes no time', async () => {
    const scanner = await started();
    await acts['a login lock']?.(scanner);
    await scanner.advance(20_000);
    const snapshot = await scanner.snapshot();
    await scanner.advance(60_000);
    const before = scanner.device.clock.monotonic();
    await scanner.restore(snapshot);
    expect(scanner.device.clock.monotonic()).toBe(before);
    expect(scanner.device.access.lockout.locked).toBe(true);
    await scanner.advance(9999);
    expect(scanner.device.access.lockout.locked).toBe(true);
    await scanner.advance(1);
    expect(scanner.device.access.lockout.locked).toBe(false);
  });

  test('has session tokens and passwords that were changed since', async () => {
    const scanner = await started();
    const { token } = await scanner.client.call('CreateSessionToken');
    await scanner.client.call('CreateParameterBackup', { Passphrase: '' });
    const snapshot = await scanner.snapshot();
    await changePassword(new Client(scanner.ports.http ?? 0), service, 'renewed');
    await expect(scanner.client.write('LocationName', 'Gate 3')).rejects.toThrow();
    const headers = { 'X-Session-Token': token };
    expect((await fetch(`${scanner.url}/api/parameterbackup`, { headers })).status).toBe(403);
    await scanner.restore(snapshot);
    await scanner.client.write('LocationName', 'Gate 3');
    expect((await fetch(`${scanner.url}/api/parameterbackup`, { headers })).status).toBe(200);
  });

  test('is not taken while something runs that cannot be put back, of a scanner with a folder, or that is down', async () => {
    const scanner = await started();
    await scanner.client.call('StartTeachIn');
    await expect(scanner.snapshot()).rejects.toThrow('a teach-in runs');
    await scanner.powerCycle();
    const snapshot = await scanner.snapshot();
    await scanner.power.off();
    await expect(scanner.snapshot()).rejects.toThrow('not up');
    const other = await started({ folder: temporaryFolder() });
    await expect(other.snapshot()).rejects.toThrow('a scanner with a folder has no snapshots');
    await expect(other.restore(snapshot)).rejects.toThrow('the snapshot is one of another scanner');
  });

  test.each([1, 2])(
    'has every parameter: all of them change, are saved, and come back after a power cut, too (seed %i)',
    async (seed) => {
      const scanner = await started();
      const before = await everythingOf(scanner);
      const snapshot = await scanner.snapshot();
      const unchanged = changeParameters(scanner, seed);
      expect(unchanged.length, unchanged.join(', ')).toBeLessThanOrEqual(8);
      await scanner.device.announcements.pendingEffects;
      await scanner.restore(snapshot);
      expect(await everythingOf(scanner)).toEqual(before);
      changeParameters(scanner, seed + 100);
      await scanner.client.call('WriteEeprom');
      await scanner.powerCycle();
      expect(await everythingOf(scanner)).not.toEqual(before);
      await scanner.restore(snapshot);
      expect(await everythingOf(scanner)).toEqual(before);
      await scanner.powerCycle();
      expect(await everythingOf(scanner)).toMatchObject({ stored: before.stored, working: before.working });
    },
  );

  test.each(Object.keys(acts))('puts back: %s', async (name) => {
    const scanner = await started();
    const before = await everythingOf(scanner);
    const snapshot = await scanner.snapshot();
    await acts[name]?.(scanner);
    expect(await everythingOf(scanner), 'the act changes something').not.toEqual(before);
    await scanner.restore(snapshot);
    expect(await everythingOf(scanner)).toEqual(before);
    await scanner.client.write('LocationName', 'still works');
    await scanner.restore(snapshot);
    expect(await everythingOf(scanner)).toEqual(before);
  });

  test('taken of a scanner with which much was done has all of that after a power cut', async () => {
    const scanner = await started();
    for (const [name, act] of Object.entries(acts))
      if (!/power|reboot|web server|closed|lock|is off/.test(name)) await act(scanner);
    expect(scanner.read('FieldEvaluationResult').EvaluationResultList[0]?.State).toBe(FieldState.INFRINGED);
    const before = await everythingOf(scanner);
    const snapshot = await scanner.snapshot();
    await scanner.client.call('LoadFactoryDefaults');
    await scanner.powerCycle();
    scanner.faults.clear();
    expect(await everythingOf(scanner)).not.toEqual(before);
    await scanner.restore(snapshot);
    expect(await everythingOf(scanner)).toEqual(before);
  });

  test('is part of each feature that holds anything beside parameters', async () => {
    const scanner = await started();
    const without = Object.entries(scanner.device.features)
      .filter(([, feature]) => !('remember' in feature))
      .map(([name]) => name);
    expect(without.sort()).toEqual(Object.keys(holdNothing).sort());
  });
});

/** The features that a snapshot does not need, with the reason. */
const holdNothing: Readonly<Record<string, string>> = {
  checksum: 'follows the stored parameters',
  deviceInformation: 'follows the identity and the release',
  deviceStatus: 'shows the conditions, which are remembered',
  imu: 'follows the core',
  operation: 'switches measuring, which is remembered',
  ownMembers: 'belongs to the product',
  passwords: 'changes credentials, which are remembered',
  reportedErrors: 'follows the hardware, which reports none',
  saving: 'saves',
  sensors: 'reads the hardware, which is remembered',
  streamSettings: 'follows parameters',
  uptime: 'is time',
  userLevels: 'changes the stored state, which is remembered',
  webserver: 'changes the stored state, which is remembered',
};

async function started(options: StartOptions = {}): Promise<TestScanner> {
  const scanner = await startScanner({ scene: 'empty-room', ...options });
  onTestFinished(() => scanner.close());
  return scanner;
}
