import { createHash } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Client, hash1, type Login, type Reply, service } from './support/client.js';
import { changePassword } from './support/password-change.js';
import { Bench } from './support/scanner-process.js';

const maintenance: Login = { user: 'Maintenance', password: 'mainten-4711-secret' };
const client4712: Login = { user: 'AuthorizedClient', password: 'client-4712-secret' };
const own: Login = { ...service, password: 'service-4713-secret' };
const next: Login = { ...service, password: 'next-4714-secret' };
const wrong: Login = { ...service, password: 'wrong-4715-secret' };
const legacyHash = 3_141_592_653;

/** Everything that a scanner could let slip, gathered while it is used in every way that involves a secret. */
class Spy {
  readonly secrets = new Set<string>();
  readonly told: string[] = [];

  async use(client: Client): Promise<void> {
    for (const login of [own, maintenance, client4712, wrong]) {
      this.#note(await client.challenge(login.user), login);
      const header = await client.header('LocationName', login);
      this.secrets.add(header.response);
      this.#hear(await client.post('LocationName', { header, data: { LocationName: 'Gate 3' } }));
      this.#hear(await client.post('LocationName', { header, data: { LocationName: 'Gate 3' } }));
    }
    this.#hear(await client.call('SetPassword', { siUserLevel: 4, udiNewPassword: legacyHash }, own));
    this.#hear(await client.call('SetPassword', { siUserLevel: 4, udiNewPassword: 'x' }, own));
    this.secrets.add(String(legacyHash));
    this.#hear(await changePassword(client, wrong, next.password));
    this.#hear(await changePassword(client, own, next.password));
    this.#note(await client.challenge(), next);
    this.#hear(await client.call('WriteEeprom', undefined, next));
    for (const path of ['/metrics', '/x/stored', '/healthz', '/openapi.json', '/docs']) {
      this.#hear(await client.send({ method: 'GET', path }));
    }
  }

  /** The password, its hash in the forms that a program may have it in, and what belongs to one login. */
  #note({ realm, nonce, opaque, salt }: Awaited<ReturnType<Client['challenge']>>, login: Login): void {
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

  /** A challenge is told on purpose, to whoever asked for it; these answers are none. */
  #hear(reply: Reply): void {
    this.told.push(JSON.stringify(reply.headers), reply.text);
  }
}

describe('no secret', () => {
  it.each([[['--json']], [[]]])('is in what a scanner logs, measures and answers (%j)', async (flags) => {
    const bench = new Bench();
    const spy = new Spy();
    const scanner = await bench.start(flags, {
      env: {
        AZIMUTH_PASSWORD_SERVICE: own.password,
        AZIMUTH_PASSWORD_MAINTENANCE: maintenance.password,
        AZIMUTH_PASSWORD_AUTHORIZEDCLIENT: client4712.password,
      },
    });
    await spy.use(scanner.client());
    const exit = await scanner.stop();
    const told = [exit.stdout, exit.log, ...spy.told].join('\n');
    // It did speak of all this.
    expect(told).toContain('A login failed');
    expect(told).toContain('A password was changed');
    expect(told).toContain('azimuth_logins_total');
    expect(spy.secrets.size).toBeGreaterThan(25);
    expect([...spy.secrets].filter((secret) => told.includes(secret))).toEqual([]);
  });

  it('lies in a file that others can read', async () => {
    const bench = new Bench();
    const scanner = await bench.start([]);
    await changePassword(scanner.client(), service, next.password);
    await scanner.stop();
    expect(statSync(bench.folder).mode & 0o077).toBe(0);
    for (const name of readdirSync(bench.folder)) {
      const mode = statSync(join(bench.folder, name)).mode & 0o077;
      if (name.startsWith('credentials')) expect(mode, name).toBe(0);
    }
  });
});
