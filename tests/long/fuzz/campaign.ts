import { expect } from 'vitest';
import { dataOf } from '../../support/client.js';
import { expectData, expectDone } from '../../support/envelope.js';
import { Health } from '../../support/health.js';
import { object } from '../../support/json.js';
import type { ScannerProcess } from '../../support/scanner-process.js';
import { Besetting } from './besetting.js';
import { bytesAtTheSocket } from './bytes-at-the-socket.js';
import { catalogueOf } from './catalogue.js';
import type { Category } from './category.js';
import { Calm, Lane } from './lane.js';
import { bentHeaders, challenges, passwordMessages, replays } from './logins.js';
import { bodies, calls, readOnly, strangersToEnumerations, strangersToStructs, writes } from './payloads.js';
import type { Tally } from './tally.js';
import { largeBodies, pages, pipelines, slices, strangerNames } from './valid-http.js';

export const categories: readonly Category[] = [
  ...bytesAtTheSocket,
  ...[pipelines, slices, largeBodies, strangerNames, pages],
  ...[
    bodies,
    writes,
    calls,
    strangersToEnumerations,
    strangersToStructs,
    readOnly,
    bentHeaders,
    replays,
    challenges,
    passwordMessages,
  ],
];

const lanes = 8;
const roundMilliseconds = 2000;

/** Besets a scanner for a time, in rounds; between them it is looked at, saved, and rebooted. */
export class Campaign {
  readonly health: Health;
  readonly #scanner: ScannerProcess;
  readonly #besetting: Besetting;

  constructor(scanner: ScannerProcess, seed: number) {
    this.#scanner = scanner;
    this.health = new Health(scanner);
    const calm = new Calm(scanner);
    const clients = Array.from({ length: lanes }, () => new Lane(scanner.client().port, calm));
    this.#besetting = new Besetting({ lanes: clients, categories, seed });
  }

  get tally(): Tally {
    return this.#besetting.tally;
  }

  async run(seconds: number): Promise<void> {
    const catalogue = await catalogueOf(this.#scanner.client());
    const end = performance.now() + seconds * 1000;
    for (let round = 0; performance.now() < end; round++) {
      const stored = await this.stored();
      await this.#besetting.round(round, { milliseconds: roundMilliseconds }, catalogue);
      this.health.check();
      // Nobody has stored anything: what was written is in force, and that is all.
      expect(await this.stored()).toEqual(stored);
      await this.#between(round);
    }
  }

  /** What a person does at times: store, go back to defaults, reboot, with logins locked or not. */
  async #between(round: number): Promise<void> {
    await this.#scanner.advance(31_000);
    const client = this.#scanner.client();
    if (round % 3 === 1) {
      expectData(await client.call('WriteEeprom'), { Success: true });
      const working = await client.value('LocationName');
      expect(object(await this.stored()).LocationName).toEqual(working);
    }
    if (round % 4 === 3) {
      expectData(await client.call('CreateParameterBackup'), { Result: true });
      expectDone(await client.call('LoadApplicationDefaults'));
      expect(dataOf(await client.call('RestoreParameterBackup'))).toMatchObject({ RestoreResult: 0 });
    }
    if (round % 6 === 2) expectDone(await client.call('LoadFactoryDefaults'));
    if (round % 3 === 2) {
      await this.#scanner.control('/webserver', { enabled: true });
      const stored = await this.stored();
      await this.#scanner.throughReboot(() => client.call('SoftReset', { ProcessorNbr: 0 }));
      expect(await this.stored()).toEqual(stored);
    }
  }

  async stored(): Promise<unknown> {
    return JSON.parse((await this.#scanner.client().send({ method: 'GET', path: '/x/stored' })).text).data;
  }
}
