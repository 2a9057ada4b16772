import { dataOf } from '@azimuth/test-support/client';
import { expectData, expectDone, expectStatus } from '@azimuth/test-support/envelope';
import { FaultyStorage } from '@azimuth/test-support/faulty-storage';
import { TestScanner } from '@azimuth/test-support/test-scanner';
import { describe, expect, test } from 'vitest';
import { downloaded, expectRefused, expectTaken, path, tokenOf, upload } from './transfer.js';

const restoredAll = { Result: true, RestoreResult: 0, ParametersFailedToRestore: [] };

describe('GET /parameterbackup', () => {
  test('is HTTP 404 before the first backup, with the envelope', async () => {
    const client = (await TestScanner.start()).client();
    const reply = await client.send({ method: 'GET', path, headers: await tokenOf(client) });
    expect(expectRefused(reply, 404, 5)).toContain('CreateParameterBackup');
  });

  test('returns the file as soon as CreateParameterBackup is answered', async () => {
    const client = (await TestScanner.start()).client();
    expectDone(await client.write('LocationName', 'Gate 3'));
    const headers = await tokenOf(client);
    expectData(await client.call('CreateParameterBackup', { Passphrase: '' }), { Result: true });
    const reply = await client.send({ method: 'GET', path, headers });
    expect(reply.httpStatus).toBe(200);
    expect(reply.headers['content-type']).toBe('application/json');
    expect(reply.headers['cache-control']).toBe('no-store');
    expect(Object.keys(JSON.parse(reply.text))).toEqual([
      'version',
      'device identification',
      'serial number',
      'checksum',
      'parameters',
    ]);
    expect(reply.text).toContain('"Gate 3"');
    expectData(await client.get('CreateParameterBackupResult'), {
      CreateParameterBackupResult: { Status: 1, Result: true },
      Status: 1,
      Result: true,
    });
  });

  test('returns an encrypted file as bytes, which can be uploaded and restored', async () => {
    const scanner = await TestScanner.start();
    const client = scanner.client();
    expectDone(await client.write('LocationName', 'Gate 3'));
    expectData(await client.call('CreateParameterBackup', { Passphrase: 'hush' }), { Result: true });
    const headers = await tokenOf(client);
    const reply = await fetch(`${scanner.service.url}${path}`, { headers });
    expect(reply.headers.get('content-type')).toBe('application/octet-stream');
    const file = Buffer.from(await reply.arrayBuffer());
    expect(file.toString('latin1', 0, 8)).toBe('AZBACKUP');
    expectDone(await client.write('LocationName', 'another'));
    const form = new FormData();
    form.set('datei', new Blob([file]), 'backup.bin');
    const sent = await fetch(`${scanner.service.url}${path}`, { method: 'PUT', headers, body: form });
    expect(sent.status).toBe(200);
    expectData(await client.call('RestoreParameterBackup', { Passphrase: 'hush' }), restoredAll);
    expect(await client.value('LocationName')).toBe('Gate 3');
    const wrong = { Result: false, RestoreResult: 6, ParametersFailedToRestore: [] };
    expectData(await client.call('RestoreParameterBackup', { Passphrase: 'rush' }), wrong);
    const result = dataOf(await client.get('RestoreParameterBackupResult')).RestoreParameterBackupResult;
    expect(result).toEqual({ Status: 1, RestoreResult: 6, ParametersFailedToRestore: [] });
  });

  test('survives a power cut', async () => {
    const storage = new FaultyStorage();
    const client = (await TestScanner.start({ storage })).client();
    await upload(client, '{"any":"thing"}');
    const after = (await TestScanner.start({ storage: storage.afterPowerCut() })).client();
    expect(await downloaded(after)).toBe('{"any":"thing"}');
  });

  test('is HTTP 500 if the file cannot be read', async () => {
    const storage = new FaultyStorage();
    storage.failRead('parameterbackup');
    const client = (await TestScanner.start({ storage })).client();
    expectRefused(await client.send({ method: 'GET', path, headers: await tokenOf(client) }), 500, 3);
  });
});

describe('PUT and POST /parameterbackup', () => {
  test.each(['PUT', 'POST'])('accept any content (%s), which replaces the previous file', async (method) => {
    const client = (await TestScanner.start()).client();
    expectTaken(await upload(client, '{"any":"thing"}', {}, method));
    expectTaken(await upload(client, 'not even JSON', {}, method));
    expect(await downloaded(client)).toBe('not even JSON');
    expect(dataOf(await client.call('RestoreParameterBackup')).RestoreResult).toBe(2);
  });

  test.each([
    undefined,
    'application/octet-stream',
    'application/json',
    'application/x-www-form-urlencoded',
    'text/plain; charset=latin1',
  ])('accept a raw body with the Content-Type %s unchanged', async (type) => {
    const client = (await TestScanner.start()).client();
    const body = Buffer.from('\u00ff\u0000\r\n{"a":1}\r\n--x--', 'latin1');
    expectTaken(await upload(client, body, type === undefined ? {} : { 'Content-Type': type }));
    expect(await downloaded(client)).toBe(body.toString('utf8'));
  });

  test('accept a body in chunks', async () => {
    const client = (await TestScanner.start()).client();
    expectTaken(await upload(client, 'a'.repeat(200_000), { 'Transfer-Encoding': 'chunked' }));
    expect(await downloaded(client)).toBe('a'.repeat(200_000));
  });

  test('are HTTP 400 without a file', async () => {
    const client = (await TestScanner.start()).client();
    expectRefused(await upload(client, ''), 400, 1);
  });

  test('are HTTP 500 if the disk fails, and the previous file stays', async () => {
    const storage = new FaultyStorage();
    const client = (await TestScanner.start({ storage })).client();
    expectTaken(await upload(client, 'before'));
    storage.fail('parameterbackup', { once: true });
    expect(expectRefused(await upload(client, 'after'), 500, 3)).toContain('make room');
    expect(await downloaded(client)).toBe('before');
  });

  test('are restored only with a valid Passphrase and Filter', async () => {
    const client = (await TestScanner.start()).client();
    expectStatus(await client.call('RestoreParameterBackup', { Filter: 8 }), 6);
    expectStatus(await client.call('RestoreParameterBackup', { Passphrase: 'x'.repeat(257) }), 7);
    expectStatus(await client.call('RestoreParameterBackup', { Passphrase: 1 }), 2);
  });
});
