import { chmodSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { authorizedClient, hash1, maintenance, service } from '../support/client.js';
import { expectData, expectDone, expectStatus } from '../support/envelope.js';
import { filesIn } from '../support/files.js';
import { changePassword } from '../support/password-change.js';
import { Bench } from '../support/scanner-process.js';

const name = 'distinctive location';

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
