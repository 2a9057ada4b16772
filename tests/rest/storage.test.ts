import { chmodSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { authorizedClient, hash1, maintenance, service } from '../support/client.js';
import { expectData, expectDone, expectStatus } from '../support/envelope.js';
import { filesIn, fileWith } from '../support/files.js';
import { changePassword } from '../support/password-change.js';
import { Bench } from '../support/scanner-process.js';

const name = 'distinctive location';

/** A folder with a stored location name, and no process on it. */
async function filledBench(): Promise<Bench> {
  const bench = new Bench();
  const scanner = await bench.start();
  expectDone(await scanner.client().write('LocationName', name));
  expectData(await scanner.client().call('WriteEeprom'), { Success: true });
  await scanner.stop();
  return bench;
}

describe('a stored file that cannot be read', () => {
  test.each([
    ['text that is no JSON', Buffer.from('{"LocationName": "distinctive rubbish')],
    ['rubbish', Buffer.from('distinctive rubbish \u0000\u0001\u0002')],
    ['JSON of another kind', Buffer.from('["distinctive rubbish"]')],
    ['a number', Buffer.from('4711471147114711')],
  ])('%s: it is set aside, and the scanner starts at defaults in a recoverable fault', async (_, rubbish) => {
    const bench = await filledBench();
    const { path } = fileWith(bench.folder, name);
    writeFileSync(path, rubbish);
    const scanner = await bench.start();
    const client = scanner.client();
    expect(await client.value('DeviceStatus')).toBe(7);
    expect(await client.value('LocationName')).toBe('not defined');
    expect(filesIn(bench.folder).some(({ content }) => content.equals(rubbish))).toBe(true);
    expect(scanner.log).toContain(path.split('/').at(-1));
    expectDone(await client.write('LocationName', 'after the fault'));
    expectData(await client.call('WriteEeprom'), { Success: true });
    expect(filesIn(bench.folder).some(({ content }) => content.equals(rubbish))).toBe(true);
    await scanner.kill();
    const again = (await bench.start()).client();
    expect(await again.value('LocationName')).toBe('after the fault');
    expect(await again.value('DeviceStatus')).toBe(3);
  });

  test('an empty file, as an interrupted copy leaves it, is a fault and no new scanner', async () => {
    const bench = await filledBench();
    writeFileSync(fileWith(bench.folder, name).path, '');
    const client = (await bench.start()).client();
    expect(await client.value('DeviceStatus')).toBe(7);
    expect(await client.value('LocationName')).toBe('not defined');
  });

  test('a second fault does not overwrite what was set aside at the first', async () => {
    const bench = await filledBench();
    const { path } = fileWith(bench.folder, name);
    for (const rubbish of ['first rubbish', 'second rubbish']) {
      writeFileSync(path, rubbish);
      await (await bench.start()).stop();
    }
    const contents = filesIn(bench.folder).map(({ content }) => content.toString('utf8'));
    expect(contents).toEqual(expect.arrayContaining(['first rubbish', 'second rubbish']));
  });
});

describe('two processes', () => {
  test('on one folder: the second refuses to start and says why, the first goes on', async () => {
    const bench = new Bench();
    const first = await bench.start();
    const { code, stdout, log } = await bench.refuse();
    expect(code).toBe(1);
    expect(stdout).toBe('');
    expect(log).toMatch(
      new RegExp(`^azimuth: ${bench.folder} is in use by process ${first.pid}\\. Stop that one`, 'm'),
    );
    expect(log).not.toMatch(/^\s+at /m);
    expectStatus(await first.client().get('DeviceStatus'), 0);
    expect(await first.client().value('PowerOnCnt')).toBe(1);
    expectDone(await first.client().write('LocationName', name));
    expectData(await first.client().call('WriteEeprom'), { Success: true });
    await first.kill();
    const again = (await bench.start()).client();
    expect(await again.value('LocationName')).toBe(name);
    expect(await again.value('PowerOnCnt')).toBe(2);
  });

  test('on one folder one after the other: the second starts, after a clean end and after a power cut', async () => {
    const bench = new Bench();
    await (await bench.start()).stop();
    await (await bench.start()).kill();
    expectStatus(await (await bench.start()).client().get('DeviceStatus'), 0);
  });

  test('on one port: the second ends with a clear line, the first goes on', async () => {
    const first = await new Bench().start();
    const port = String(first.client().port);
    const { code, stdout, log } = await new Bench().refuse(['--port', port]);
    expect(code).toBeGreaterThan(0);
    expect(stdout).toBe('');
    expect(log).toContain(port);
    expect(log).not.toMatch(/^\s+at /m);
    expectStatus(await first.client().get('DeviceStatus'), 0);
  });

  test('on two folders do not touch each other', async () => {
    const [one, two] = [await new Bench().start(), await new Bench().start()];
    expectDone(await one.client().write('LocationName', name));
    expect(await two.client().value('LocationName')).toBe('not defined');
    expect(one.client().port).not.toBe(two.client().port);
  });
});

describe('secrets', () => {
  const secrets = {
    service: 'Distinctive-Service-Secret',
    maintenance: 'Distinctive-Maintenance-Secret',
    client: 'Distinctive-Client-Secret',
    changed: 'Distinctive-Changed-Secret',
  };

  test('passwords stand in no file and in no log', async () => {
    const bench = new Bench();
    const flags = [
      '--password',
      `Service=${secrets.service}`,
      '--password',
      `Maintenance=${secrets.maintenance}`,
    ];
    const env = { AZIMUTH_PASSWORD_AUTHORIZEDCLIENT: secrets.client };
    const scanner = await bench.start(flags, { env });
    const client = scanner.client();
    const login = { ...service, password: secrets.service };
    const changed = { ...service, password: secrets.changed };
    expectDone(await client.call('checkCredentials', undefined, login));
    expectStatus(await client.call('checkCredentials', undefined, changed), 4);
    expectData(await changePassword(client, login, secrets.changed), { result: 0 });
    expectDone(await client.call('checkCredentials', undefined, changed));
    expectData(await client.call('WriteEeprom', undefined, changed), { Success: true });
    const { log, stdout } = await scanner.stop();
    const places = [
      ...filesIn(bench.folder).map(({ path, content }) => [path, content.toString('latin1')] as const),
      ['the log', log] as const,
      ['standard output', stdout] as const,
    ];
    for (const secret of [...Object.values(secrets), service.password]) {
      const bytes = Buffer.from(secret);
      for (const [place, text] of places) {
        for (const form of [secret, bytes.toString('base64').slice(0, -4), bytes.toString('hex')]) {
          expect(text.includes(form), `${secret} in ${place}`).toBe(false);
        }
      }
    }
  });

  test('no answer shows what is stored of a password', async () => {
    const client = (await new Bench().start()).client();
    const { realm, salt } = await client.challenge();
    const hash = hash1(service, realm, salt);
    for (const path of ['/x/stored', '/api/DeviceIdent', '/healthz', '/']) {
      expect((await client.send({ method: 'GET', path })).text).not.toContain(hash);
    }
  });

  test.runIf(process.platform !== 'win32')(
    'what changes with a password is readable for its owner only',
    async () => {
      const bench = new Bench();
      const scanner = await bench.start();
      for (const userLevel of [2, 3]) {
        await scanner.client().call('EnableUserLevel', { userLevel, isEnabled: true });
      }
      chmodSync(bench.folder, 0o755);
      const logins = [service, maintenance, authorizedClient];
      for (const login of logins) {
        const before = new Map(filesIn(bench.folder).map(({ path, content }) => [path, content]));
        expectData(await changePassword(scanner.client(), login, 'renewed'), { result: 0 });
        const changed = filesIn(bench.folder).filter(
          ({ path, content }) => !before.get(path)?.equals(content),
        );
        expect(changed).not.toEqual([]);
        for (const { path, mode } of changed) expect(mode.toString(8), path).toBe('600');
      }
    },
  );
});
