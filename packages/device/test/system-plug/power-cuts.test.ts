import { FaultyStorage } from '@azimuth/test-support/faulty-storage';
import { latch } from '@azimuth/test-support/waiting';
import { expect, test } from 'vitest';
import { decodeBackup } from '../../src/backup-restore/backup-file.js';
import { MemoryPlug, PlugScanner, plugOf } from './plug-scanner.js';

/** Power that fails at one moment: before or after one of the writes to storage and plug, counted together. */
class Power {
  readonly #cut = latch();
  #left: number;
  #off = false;

  constructor(moments: number) {
    this.#left = moments;
  }

  get failed(): Promise<void> {
    return this.#cut.opened;
  }

  async write(act: () => Promise<void>): Promise<void> {
    await this.#moment();
    await act();
    await this.#moment();
  }

  #moment(): Promise<void> {
    if (this.#left-- === 0) {
      this.#off = true;
      this.#cut.open();
    }
    return this.#off ? new Promise(() => {}) : Promise.resolve();
  }
}

class PoweredStorage extends FaultyStorage {
  constructor(
    documents: ReadonlyMap<string, Uint8Array>,
    readonly power: Power,
  ) {
    super(documents);
  }

  override write(name: string, content: Uint8Array): Promise<void> {
    return this.power.write(() => super.write(name, content));
  }
}

class PoweredPlug extends MemoryPlug {
  constructor(
    file: Uint8Array | undefined,
    readonly power: Power,
  ) {
    super(file);
  }

  override write(content: Uint8Array): Promise<void> {
    return this.power.write(() => super.write(content));
  }
}

async function documentsOf(prepare: (scanner: PlugScanner) => Promise<unknown>) {
  const storage = new FaultyStorage();
  const scanner = await PlugScanner.open('22222222', undefined, { storage });
  await prepare(scanner);
  await scanner.test.device.close();
  return storage.documents;
}

/** More than there are in the life below. */
const mostMoments = 100;

test.each([
  ['a new scanner', async () => new Map<string, Uint8Array>(), 'Gate 3'],
  [
    'a scanner with saved parameters',
    () => documentsOf((scanner) => scanner.set('of its own').save()),
    'Gate 3',
  ],
])(
  '%s takes a plug, whenever the power fails, and loses nothing acknowledged',
  async (_, prepared, taken) => {
    const documents = await prepared();
    const { file } = await plugOf(taken);
    let cuts = 0;
    for (let moment = 0; moment < mostMoments; moment++) {
      const power = new Power(moment);
      const storage = new PoweredStorage(documents, power);
      const plug = new PoweredPlug(file, power);
      let acknowledged: string | undefined;
      const life = async () => {
        const scanner = await PlugScanner.open('22222222', plug, { storage });
        for (const name of ['Gate 4', 'Gate 5']) {
          await scanner.set(name).save();
          acknowledged = name;
        }
        await scanner.test.reboot();
      };
      const isComplete = await Promise.race([life().then(() => true), power.failed.then(() => false)]);
      // The file is the old one or the new one.
      expect(() => decodeBackup(plug.file ?? new Uint8Array())).not.toThrow();
      const stored = storage.afterPowerCut();
      const left = new MemoryPlug(plug.file);
      const again = await PlugScanner.open('22222222', left, { storage: stored });
      // A save that was not acknowledged may have been stored.
      const after = { 'Gate 4': ['Gate 4', 'Gate 5'], 'Gate 5': ['Gate 5'] }[acknowledged ?? ''];
      expect(after ?? ['Gate 3', 'Gate 4'], `moment ${moment}`).toContain(again.name);
      expect(again.address).toEqual([10, 0, 0, 7]);
      expect(again.test.device.identity.serialNumber).toBe('22222222');
      expect(again.plug).toEqual({ State: 'CURRENT', SerialNumber: '22222222', Fault: '' });
      expect(left.text).toContain(`"${again.name}"`);
      // Its parameters are adopted once.
      await again.set('Gate 6').save();
      await again.test.reboot();
      expect(again.name).toBe('Gate 6');
      if (isComplete) break;
      cuts++;
    }
    expect(cuts).toBeGreaterThan(10);
    expect(cuts).toBeLessThan(mostMoments);
  },
);

test('a scanner with its own plug loses nothing acknowledged, and the plug is never left with another save', async () => {
  const documents = await documentsOf((scanner) => scanner.set('Gate 3').save());
  for (let moment = 0; moment < mostMoments; moment++) {
    const power = new Power(moment);
    const storage = new PoweredStorage(documents, power);
    const plug = new PoweredPlug(undefined, power);
    let acknowledged = false;
    const life = async () => {
      const scanner = await PlugScanner.open('22222222', plug, { storage });
      await scanner.set('Gate 4').save();
      acknowledged = true;
    };
    const isComplete = await Promise.race([life().then(() => true), power.failed.then(() => false)]);
    if (acknowledged) expect(plug.text).toContain('"Gate 4"');
    const left = new MemoryPlug(plug.file);
    const again = await PlugScanner.open('22222222', left, { storage: storage.afterPowerCut() });
    expect(acknowledged ? ['Gate 4'] : ['Gate 3', 'Gate 4']).toContain(again.name);
    expect(left.text).toContain(`"${again.name}"`);
    if (isComplete) return;
  }
  expect.unreachable('the life never came to its end');
});
