import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Client, dataOf } from '@azimuth/test-support/client';
import {
  detailOf,
  expectData,
  expectDone,
  expectRefusal,
  expectWritten,
} from '@azimuth/test-support/envelope';
import { number } from '@azimuth/test-support/json';
import { errorCodeOf, LegacyClient } from '@azimuth/test-support/legacy-client';
import { ScannerFolder } from '@azimuth/test-support/scanner-process';
import { describe, expect, test } from 'vitest';

const name = 'temperatureAlarmConfiguration';
const outOfRange = 6;
/** Of the legacy protocol: a value is out of its range or not among those allowed. */
const localConditionFailed = 0x04;

const thresholds = (lowerThreshold: unknown, upperThreshold: unknown) => ({ lowerThreshold, upperThreshold });
const factory = thresholds(50, 55);
const wrongWayRound = [
  [60, 55],
  [55, 55],
  [127, -128],
  [-128, -128],
] as const;

async function legacySession(port: unknown, dialect: 'A' | 'B'): Promise<LegacyClient> {
  const client = await LegacyClient.forTest(number(port), dialect);
  await client.login(4);
  return client;
}

/** The backup that a scanner gives out, with other words in it and the checksum that belongs to them. */
async function alteredBackup(client: Client, alter: (text: string) => string) {
  expectData(await client.call('CreateParameterBackup', {}), { Result: true });
  const headers = { 'X-Session-Token': String(dataOf(await client.call('CreateSessionToken')).token) };
  const { text } = await client.send({ method: 'GET', path: '/api/parameterbackup', headers });
  const altered = alter(text);
  expect(altered).not.toBe(text);
  const checksum = /"checksum": "[0-9a-f]{64}"/;
  const blank = altered.replace(checksum, `"checksum": "${'0'.repeat(64)}"`);
  const body = blank.replace(checksum, `"checksum": "${createHash('sha256').update(blank).digest('hex')}"`);
  return { method: 'PUT', path: '/api/parameterbackup', headers, body };
}

describe('a lower threshold of the temperature alarm that is not below the upper one', () => {
  test('is out of range over REST, equal ones included; the nearest that are in order are taken', async () => {
    const client = (await new ScannerFolder().start()).client();
    for (const [lower, upper] of wrongWayRound) {
      await expectRefusal(client, name, () => client.write(name, thresholds(lower, upper)), outOfRange);
    }
    const refused = await client.write(name, thresholds(60, 55));
    expect(detailOf(refused)).toBe(`${name}.lowerThreshold: 60 is not below upperThreshold, 55`);
    await expectWritten(client, name, thresholds(54, 55));
    await expectWritten(client, name, thresholds(-128, 127));
    await expectWritten(client, name, thresholds(126, 127));
  });

  test('is refused over both legacy interfaces, too', async () => {
    const scanner = await new ScannerFolder().start();
    const a = await legacySession(scanner.readyLine.legacyA, 'A');
    const b = await legacySession(scanner.readyLine.legacyB, 'B');
    // Upper threshold first: 55 and 60, 55 and 55.
    const written = (...bytes: number[]) => Buffer.concat([Buffer.from(`sWN ${name} `), Buffer.from(bytes)]);
    for (const values of ['+55 +60', '+55 +55']) {
      expect(errorCodeOf(await a.request(`sWN ${name} ${values}`)), values).toBe(localConditionFailed);
    }
    for (const values of [written(55, 60), written(55, 55)]) {
      expect(errorCodeOf(await b.request(values))).toBe(localConditionFailed);
    }
    expect(await scanner.client().value(name)).toEqual(factory);
    expect((await b.request(written(55, 54))).command).toBe('sWA');
    expect(await scanner.client().value(name)).toEqual(thresholds(54, 55));
  });

  test('is not restored from a backup, which is refused whole', async () => {
    const scanner = await new ScannerFolder().start();
    const client = scanner.client();
    expectDone(await client.write('LocationName', 'before'));
    const backup = await alteredBackup(client, (text) =>
      text
        .replace('"lowerThreshold":50', '"lowerThreshold":55')
        .replace('"value":"before"', '"value":"restored"'),
    );
    expectDone(await client.send(backup));
    expectData(await client.call('RestoreParameterBackup', {}), {
      Result: false,
      RestoreResult: 4,
      ParametersFailedToRestore: [name],
    });
    expect(await client.value('LocationName')).toBe('before');
    expect(await client.value(name)).toEqual(factory);
  });

  test('that was stored by an earlier release of this software gives way to factory state, with a line in the log', async () => {
    const scannerFolder = new ScannerFolder();
    const before = await scannerFolder.start();
    expectDone(await before.client().write('LocationName', 'stored'));
    expectData(await before.client().call('WriteEeprom'), { Success: true });
    await before.stop();
    const path = join(scannerFolder.folder, 'parameters.json');
    const stored = readFileSync(path, 'utf8');
    const altered = stored
      .replace(/\n *"checksum": "[^"]*",?/, '')
      .replace('"lowerThreshold":50', '"lowerThreshold":60');
    writeFileSync(path, altered);
    const scanner = await scannerFolder.start();
    const client = scanner.client();
    expect(await client.value(name)).toEqual(factory);
    expect(await client.stored(name)).toEqual(factory);
    expect(await client.value('LocationName')).toBe('stored');
    expect(await client.value('DeviceStatus')).toBe(3);
    expect(scanner.log).toContain(
      `"fault":"${name}.lowerThreshold: 60 is not below upperThreshold, 55","msg":"A stored value is not allowed`,
    );
  });
});
