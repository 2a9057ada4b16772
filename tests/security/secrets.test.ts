import { createHash } from 'node:crypto';
import { chmodSync, statSync } from 'node:fs';
import {
  authorizedClient,
  Client,
  dataOf,
  maintenance as factoryMaintenance,
  type HttpResponse,
  hash1,
  type Login,
  service,
} from '@azimuth/test-support/client';
import { filesIn } from '@azimuth/test-support/files';
import { changePassword } from '@azimuth/test-support/password-change';
import { ScannerFolder } from '@azimuth/test-support/scanner-process';
import { describe, expect, it } from 'vitest';

const maintenance: Login = { user: 'Maintenance', password: 'mainten-4711-secret' };
const client4712: Login = { user: 'AuthorizedClient', password: 'client-4712-secret' };
const own: Login = { ...service, password: 'service-4713-secret' };
const next: Login = { ...service, password: 'next-4714-secret' };
const wrong: Login = { ...service, password: 'wrong-4715-secret' };
const legacyHash = 3_141_592_653;

/** Uses a scanner with every secret, and records the secrets and everything that the scanner says. */
class Recorder {
  readonly secrets = new Set<string>();
  readonly said: string[] = [];

  async use(client: Client): Promise<void> {
    for (const login of [own, maintenance, client4712, wrong]) {
      this.#remember(await client.challenge(login.user), login);
      const header = await client.header('LocationName', login);
      this.secrets.add(header.response);
      this.#record(await client.post('LocationName', { header, data: { LocationName: 'Gate 3' } }));
      this.#record(await client.post('LocationName', { header, data: { LocationName: 'Gate 3' } }));
    }
    this.#record(await client.call('SetPassword', { siUserLevel: 4, udiNewPassword: legacyHash }, own));
    this.#record(await client.call('SetPassword', { siUserLevel: 4, udiNewPassword: 'x' }, own));
    this.secrets.add(String(legacyHash));
    this.#record(await changePassword(client, wrong, next.password));
    this.#record(await changePassword(client, own, next.password));
    this.#remember(await client.challenge(), next);
    this.#record(await client.call('WriteEeprom', undefined, next));
    for (const path of ['/metrics', '/x/stored', '/healthz', '/openapi.json', '/docs']) {
      this.#record(await client.send({ method: 'GET', path }));
    }
  }

  /** The password, forms of its hash, and the values of one login. */
  #remember({ realm, nonce, opaque, salt }: Awaited<ReturnType<Client['challenge']>>, login: Login): void {
    const first = hash1(login, realm, salt);
    this.secrets.add(login.password);
    for (const form of ['hex', 'base64', 'base64url'] as const) {
      this.secrets.add(Buffer.from(first, 'hex').toString(form));
    }
    this.secrets.add(JSON.stringify([...Buffer.from(first, 'hex')]));
    this.secrets.add(createHash('md5').update(login.password).digest('hex'));
    this.secrets.add(nonce);
    this.secrets.add(opaque);
  }

  /** Records a reply. Replies to getChallenge, which contain a nonce on purpose, are not recorded. */
  #record(reply: HttpResponse): void {
    this.said.push(JSON.stringify(reply.headers), reply.text);
  }
}

describe('no secret', () => {
  it.each([[['--json']], [[]]])(
    'is in the log, the metrics, the replies or the files of a scanner (%j)',
    async (flags) => {
      const scannerFolder = new ScannerFolder();
      const recorder = new Recorder();
      const scanner = await scannerFolder.start(flags, {
        env: {
          AZIMUTH_PASSWORD_SERVICE: own.password,
          AZIMUTH_PASSWORD_MAINTENANCE: maintenance.password,
          AZIMUTH_PASSWORD_AUTHORIZEDCLIENT: client4712.password,
        },
      });
      await recorder.use(scanner.client());
      const control = new Client(scanner.controlPort);
      const journal = (await control.send({ method: 'GET', path: '/journal?limit=10000' })).text;
      const exit = await scanner.stop();
      const said = [exit.stdout, exit.log, journal, ...recorder.said].join('\n');
      // The recorded text covers logins, password changes and metrics.
      expect(said).toContain('A login failed');
      expect(said).toContain('A password was changed');
      expect(said).toContain('azimuth_logins_total');
      expect(journal).toContain('"name":"changePassword"');
      expect(recorder.secrets.size).toBeGreaterThan(25);
      expect([...recorder.secrets].filter((secret) => said.includes(secret))).toEqual([]);
      for (const { path, content } of filesIn(scannerFolder.folder)) {
        for (const { user, password } of [own, maintenance, client4712, wrong, next]) {
          const bytes = Buffer.from(password);
          const unsalted = createHash('sha256').update(`${user}:SICK Sensor:${password}`).digest();
          const forms = [password, bytes.toString('base64').slice(0, -4), bytes.toString('hex')];
          forms.push(unsalted.toString('hex'), unsalted.toString('base64'));
          for (const form of forms) expect(content.includes(form), `${password} in ${path}`).toBe(false);
        }
      }
    },
  );

  it.runIf(process.platform !== 'win32')('is in a file that others can read', async () => {
    const scannerFolder = new ScannerFolder();
    const scanner = await scannerFolder.start([]);
    expect(statSync(scannerFolder.folder).mode & 0o077).toBe(0);
    for (const userLevel of [2, 3]) {
      await scanner.client().call('EnableUserLevel', { userLevel, isEnabled: true });
    }
    chmodSync(scannerFolder.folder, 0o755);
    for (const login of [service, factoryMaintenance, authorizedClient]) {
      const before = new Map(filesIn(scannerFolder.folder).map(({ path, content }) => [path, content]));
      expect(dataOf(await changePassword(scanner.client(), login, 'renewed'))).toEqual({ result: 0 });
      const changed = filesIn(scannerFolder.folder).filter(
        ({ path, content }) => !before.get(path)?.equals(content),
      );
      expect(changed).not.toEqual([]);
      for (const { path, mode } of changed) expect(mode.toString(8), path).toBe('600');
    }
  });
});
