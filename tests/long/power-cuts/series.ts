import { readdirSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { authorizedClient, type Client, dataOf, maintenance } from '@azimuth/test-support/client';
import { expectData } from '@azimuth/test-support/envelope';
import { ScannerProcess } from '@azimuth/test-support/scanner-process';
import { SeededRandom } from '@azimuth/test-support/seeded-random';
import { generationOf, write } from './generations.js';
import { letsIn, Promised, Switches } from './victim.js';

const whole = [
  'credentials.json',
  'firmware.json',
  'identity.json',
  'lock',
  'operating.json',
  'parameters.json',
];

/** How the cuts of a series have hit. */
export interface Hits {
  /** Cuts before the answer to the save had come. */
  readonly unanswered: number;
  /** Of those, how many saves were lost, and how many had got through all the same. */
  readonly lost: number;
  readonly kept: number;
  /** Cuts in the middle of a change of passwords or switches. */
  readonly otherUnanswered: number;
}

/** One scanner that loses its power again and again in the middle of a save. */
export class Series {
  readonly #folder: string;
  readonly #random: SeededRandom;
  readonly #env: Readonly<Record<string, string>>;
  readonly #generation = new Promised(1);
  readonly #switches = new Switches();
  readonly #hits = { unanswered: 0, lost: 0, kept: 0, otherUnanswered: 0 };
  /** How long (ms) saves have taken that were let through. */
  #usual = 5;
  #starts = 0;
  #unsure: number | undefined;

  constructor(folder: string, seed: string, env: Readonly<Record<string, string>> = {}) {
    this.#folder = folder;
    this.#random = new SeededRandom(seed);
    this.#env = env;
  }

  /** Cuts the power so many times; each start is a check of the cut before and the next victim. */
  async run(cuts: number): Promise<Hits> {
    let scanner = await this.#start();
    try {
      const client = scanner.client();
      expectData(await client.call('EnableUserLevel', { userLevel: 2, isEnabled: true }), { result: 0 });
      await write(client, this.#generation.sure);
      expectData(await client.call('WriteEeprom'), { Success: true });
      for (let cut = 0; cut < cuts; cut++) {
        await this.#cut(scanner, cut);
        scanner = await this.#start();
        await this.#check(scanner);
      }
    } finally {
      await scanner.kill();
    }
    return this.#hits;
  }

  #start(): Promise<ScannerProcess> {
    this.#starts++;
    return ScannerProcess.start({ folder: this.#folder, env: this.#env });
  }

  /** Saves, maybe more than once, and pulls the plug while the last one is under way. */
  async #cut(scanner: ScannerProcess, cut: number): Promise<void> {
    const client = scanner.client();
    for (let saves = this.#random.below(2); saves > 0; saves--) {
      const before = performance.now();
      await this.#save(client);
      this.#usual = (this.#usual * 3 + performance.now() - before) / 4;
    }
    const next = this.#generation.sure + 1;
    await write(client, next);
    const header = await client.header('WriteEeprom');
    let answered = false;
    const saving = this.#generation
      .follow(next, () => client.post('WriteEeprom', { header }))
      .then((done) => {
        answered = done;
      });
    const other = this.#otherAct(client, cut);
    await pause(this.#random.fraction() * 0.9 * this.#usual);
    const unanswered = !answered;
    await scanner.kill();
    await saving;
    // An answer that was on its way while the plug was pulled counts as one.
    this.#unsure = unanswered && !answered ? next : undefined;
    if (this.#unsure !== undefined) this.#hits.unanswered++;
    if (!(await other)) this.#hits.otherUnanswered++;
  }

  async #save(client: Client): Promise<void> {
    const next = this.#generation.sure + 1;
    await write(client, next);
    expectData(await client.call('WriteEeprom'), { Success: true });
    this.#generation.settle(next);
  }

  #otherAct(client: Client, cut: number): Promise<boolean> {
    switch (this.#random.below(3)) {
      case 0:
        return this.#switches.setPassword(client, `secret ${cut}`);
      case 1:
        return this.#switches.enableClient(client, !this.#switches.clientEnabled.sure);
      default:
        return Promise.resolve(true);
    }
  }

  /** Is all that was acknowledged in force, and what was not, there whole or not at all? */
  async #check(scanner: ScannerProcess): Promise<void> {
    const client = scanner.client();
    const found = generationOf(dataOf(await client.send({ method: 'GET', path: '/x/stored' })));
    oneOf('generation', found, this.#generation);
    if (this.#unsure !== undefined) this.#hits[found === this.#unsure ? 'kept' : 'lost']++;
    const { password, clientEnabled } = this.#switches;
    const logins = await Promise.all(
      password.possible.map(async (secret) => ({
        secret,
        good: await letsIn(client, { ...maintenance, password: secret }),
      })),
    );
    const [good, ...others] = logins.filter((login) => login.good);
    if (good === undefined || others.length > 0) throw new Error('not exactly one password is good');
    password.settle(good.secret);
    oneOf('switch of the level', await letsIn(client, authorizedClient), clientEnabled);
    equal('PowerOnCnt', await client.value('PowerOnCnt'), this.#starts);
    equal('DeviceStatus', await client.value('DeviceStatus'), 3);
    equal('files', readdirSync(this.#folder).toSorted().join(), whole.join());
  }
}

function oneOf<T>(what: string, found: T, promised: Promised<T>): void {
  if (!promised.possible.includes(found)) {
    throw new Error(`${what} ${String(found)}, expected ${promised.possible.join(' or ')}`);
  }
  promised.settle(found);
}

function equal(what: string, found: unknown, expected: unknown): void {
  if (found !== expected) throw new Error(`${what}: ${String(found)}, expected ${String(expected)}`);
}
