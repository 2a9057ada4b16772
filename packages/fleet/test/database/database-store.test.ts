import { secretDocuments } from '@azimuth/device/documents';
import { describe, expect, test } from 'vitest';
import { DatabaseStore } from '../../src/database/documents/database-store.js';
import { NotTheOwner } from '../../src/database/documents/fence.js';
import { SealBroken, Sealing } from '../../src/sealing.js';
import { respondingWith, silent } from './responding-database.js';
import { fulfils } from './sql-condition.js';

const keys = ['a key of the deployment'] as const;
const name = 'parameters.json';
const content = Buffer.from('{}');

/** A store of the scanners 1 and 2, whose lease this process has. */
function storeOn({ database }: ReturnType<typeof respondingWith>) {
  const leased = new Map([
    ['1', { shard: 3, epoch: 7 }],
    ['2', { shard: 4, epoch: 9 }],
  ]);
  const store = new DatabaseStore({
    ...{ database, owner: 'worker', keys, log: silent },
    leaseOf: (serial) => leased.get(serial),
  });
  return { store, leased };
}

describe('a save', () => {
  test('carries owner, scanner, epoch and a number that only rises, and counts when it was taken', async () => {
    const database = respondingWith([{ epoch: 7 }], [{ epoch: 7 }]);
    const { store } = storeOn(database);
    const storage = store.storageOf('1');
    await storage.write(name, content);
    await storage.remove(name);
    const [one, other] = database.values();
    expect(one?.slice(0, 3)).toEqual(['worker', '1', 7]);
    expect(one?.slice(4)).toEqual([name, content, false, false]);
    expect(other?.slice(4)).toEqual([name]);
    expect(Number(other?.[3])).toBeGreaterThan(Number(one?.[3]));
    expect([store.saves, store.refusedSaves]).toEqual([2, 0]);
  });

  test('that the database does not take says that this process is not the owner', async () => {
    const { store } = storeOn(respondingWith());
    await expect(store.storageOf('1').write(name, content)).rejects.toThrow(NotTheOwner);
    expect([store.saves, store.refusedSaves]).toEqual([0, 1]);
  });

  test('keeps the lease that there was at the power-on, and none if there was none', async () => {
    const database = respondingWith([{ epoch: 7 }]);
    const { store, leased } = storeOn(database);
    const storage = store.storageOf('1');
    leased.set('1', { shard: 3, epoch: 12 });
    await storage.write(name, content);
    expect(database.values()[0]?.[2]).toBe(7);
    await expect(store.storageOf('3').write(name, content)).rejects.toThrow(NotTheOwner);
    expect(database.values()).toHaveLength(1);
  });

  test('comes too late when the scanner is off', async () => {
    const database = respondingWith();
    const storage = storeOn(database).store.storageOf('1');
    await storage.close();
    await expect(storage.write(name, content)).rejects.toThrow('is off');
    expect(database.values()).toEqual([]);
  });

  test('changes nothing if a newer one was there, of this process or of a later owner', async () => {
    const database = respondingWith([{ epoch: 7 }], [{ epoch: 7 }]);
    const storage = storeOn(database).store.storageOf('1');
    await storage.write(name, content);
    await storage.remove(name);
    for (const statement of database.statements()) {
      const isNewer = (...before: readonly [epoch: number, number: number]) =>
        fulfils(statement, 'written_at = clock_timestamp()\n      WHERE', {
          ...{ 'd.epoch': before[0], 'd.number': before[1], 'excluded.epoch': 7, 'excluded.number': 5 },
        });
      expect([isNewer(7, 4), isNewer(7, 5), isNewer(7, 6)]).toEqual([true, false, false]);
      expect([isNewer(6, 99), isNewer(8, 1)]).toEqual([true, false]);
      const isRefused = (epoch: number) =>
        fulfils(statement, 'azimuth.documents later\n      WHERE', {
          ...{ 'later.serial': '1', 'fence.serial': '1', 'later.name': name, $5: name },
          ...{ 'later.epoch': epoch, 'fence.epoch': 7 },
        });
      expect([isRefused(7), isRefused(8)]).toEqual([false, true]);
    }
  });
});

describe('a secret document', () => {
  const secret = secretDocuments.credentials;

  test('is sealed in the database, and opened when it is read', async () => {
    const saving = respondingWith([{ epoch: 7 }]);
    await storeOn(saving).store.storageOf('1').write(secret, Buffer.from('hush'), { secret: true });
    const [, , , , , sealed, isSecret] = saving.values()[0] ?? [];
    if (!Buffer.isBuffer(sealed)) throw new Error('nothing was saved');
    expect([isSecret, sealed.includes('hush')]).toEqual([true, false]);
    const row = { content: sealed, secret: true, file: null, pieces: null };
    const { store } = storeOn(respondingWith([row], [row]));
    expect(String(await store.storageOf('1').read(secret))).toBe('hush');
    // Content sealed for one scanner cannot be opened for another.
    await expect(store.storageOf('2').read(secret)).rejects.toThrow(SealBroken);
  });

  test('that is not sealed is not taken: whoever may write rows could have written it', async () => {
    const row = { content: Buffer.from('mine'), secret: false, file: null, pieces: null };
    const { store } = storeOn(respondingWith([row], [row]));
    await expect(store.storageOf('1').read(secret)).rejects.toThrow(SealBroken);
    expect(String(await store.storageOf('1').read(name))).toBe('mine');
  });

  test('is opened by each key, sealed with the first, and sealed anew only if it was another', () => {
    const [old, both] = [new Sealing(keys), new Sealing(['the next key of it', ...keys])];
    const sealed = old.seal('1', secret, content);
    expect(both.open('1', secret, sealed)).toEqual(content);
    const anew = both.reseal('1', secret, sealed);
    expect(anew && both.reseal('1', secret, anew)).toBeUndefined();
    expect(() => anew && old.open('1', secret, anew)).toThrow(SealBroken);
    expect(() => old.open('1', 'another.json', sealed)).toThrow(SealBroken);
    for (const at of [0, 1, 14, sealed.length - 1]) {
      const changed = Buffer.from(sealed);
      changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
      expect(() => old.open('1', secret, changed), `byte ${at}`).toThrow(SealBroken);
    }
    expect(() => old.open('1', secret, sealed.subarray(0, 28))).toThrow(SealBroken);
    expect(() => new Sealing(['short'])).toThrow(RangeError);
  });
});

test('what is removed, or was never there, is not there', async () => {
  const { store } = storeOn(respondingWith([{ content: null, secret: false, file: null, pieces: null }], []));
  const storage = store.storageOf('1');
  expect([await storage.read(name), await storage.read(name)]).toEqual([undefined, undefined]);
  const used = storeOn(respondingWith([{ name }], [])).store.storageOf('1');
  expect([await used.isUsed(), await used.isUsed()]).toEqual([true, false]);
});

describe('power-ons', () => {
  const looked = [
    { serial: '1', name, is_active: true, firmware: null },
    { serial: '2', name: secretDocuments.certificates, is_active: null, firmware: null },
  ];

  test('are counted for the scanners whose lease this process has, with the epoch of each', async () => {
    const database = respondingWith(looked, [{ serial: '1', count: 3 }]);
    const { store } = storeOn(database);
    expect(await store.powerOn(['1', '2', '3'])).toEqual(new Set(['1']));
    expect(database.values()[1]?.slice(0, 3)).toEqual(['worker', ['1', '2'], [7, 9]]);
    expect([store.powerOns('1'), store.powerOns('2')]).toEqual([3, 0]);
    expect([store.sendsFromPowerOn('1'), store.sendsFromPowerOn('2')]).toEqual([true, undefined]);
    expect([store.hasCertificates('1'), store.hasCertificates('2')]).toEqual([false, true]);
    store.forget(['1', '2']);
    expect([store.powerOns('1'), store.sendsFromPowerOn('1'), store.hasCertificates('2')]).toEqual([
      0,
      undefined,
      false,
    ]);
  });

  test('of scanners without a lease, or that the database does not count, fail', async () => {
    const none = respondingWith();
    await expect(storeOn(none).store.powerOn(['3'])).rejects.toThrow(NotTheOwner);
    expect(none.values()).toEqual([]);
    await expect(storeOn(respondingWith(looked)).store.powerOn(['1'])).rejects.toThrow(NotTheOwner);
    expect(await storeOn(none).store.powerOn([])).toEqual(new Set());
  });
});
