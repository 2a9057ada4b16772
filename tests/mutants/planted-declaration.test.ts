import { type DeclarationChange, declarationChanges } from '@azimuth/check/mutants';
import { type LoginLevel, levels } from '@azimuth/model';
import { authorizedClient, Client, maintenance, statusOf } from '@azimuth/test-support/client';
import { checkedOptions } from '@azimuth/test-support/mutants/checked-target';
import { ModuleRegistry } from '@azimuth/test-support/mutants/module-registry';
import { plantDeclaration } from '@azimuth/test-support/mutants/planted-declaration';
import { testingOf } from '@azimuth/test-support/mutants/testing-of';
import { expect, it } from 'vitest';

type Act = (client: Client) => Promise<unknown>;

const registry = new ModuleRegistry();
const newest = { release: '2.4.4', variant: 'full' } as const;
const oldest = { release: '1.4.0', variant: 'full' } as const;

const reads =
  (name: string): Act =>
  async (client) =>
    JSON.parse((await client.get(name)).text).data;

const writes =
  (name: string, value: unknown, login?: typeof maintenance): Act =>
  async (client) =>
    statusOf(await client.write(name, value, login));

const calls =
  (name: string, data?: unknown, login?: typeof maintenance): Act =>
  async (client) =>
    statusOf(await client.call(name, data, login));

const readsAfter =
  (act: Act, name: string): Act =>
  async (client) => {
    await act(client);
    return client.value(name);
  };

const statusOfRead =
  (name: string): Act =>
  async (client) =>
    statusOf(await client.get(name));

const time = 'TSCTCupdatetime';
const text = 'LocationName';
/** By a level that has to be enabled first. */
const enabled =
  (level: LoginLevel, act: Act): Act =>
  async (client) => {
    await client.call('EnableUserLevel', { userLevel: levels[level], isEnabled: true });
    return act(client);
  };

const factoryDefaults = calls('LoadFactoryDefaults');
const applicationDefaults = calls('LoadApplicationDefaults');
const letters = (count: number) => 'x'.repeat(count);

type Effect = readonly [name: string, act: Act, right: unknown, wrong: unknown, edition?: typeof oldest];

/** What each change does, to one of its names: what a client gets without it, and with it. */
const effects: Readonly<Record<DeclarationChange, Effect>> = {
  'is missing': [time, statusOfRead(time), 0, 5],
  'has no alias': ['EtherLegacyScanMode', statusOfRead('EtherCoLaScanMode'), 0, 5],
  'is in all editions': [
    'laserType',
    async (client) => (await statusOfRead('laserType')(client)) === 5,
    true,
    false,
    oldest,
  ],
  'is writable': [
    'SerialNumber',
    async (client) => (await writes('SerialNumber', '1')(client)) === 8,
    true,
    false,
  ],
  'is read-only': [time, writes(time, 5), 0, 8],
  'needs a higher level': [text, enabled('AuthorizedClient', writes(text, 'a', authorizedClient)), 0, 4],
  'needs a lower level': [time, enabled('Maintenance', writes(time, 5, maintenance)), 4, 0],
  'needs no login': [
    'FindMe',
    async (client) => statusOf(await client.post('FindMe', { data: { uiDuration: 1 } })),
    4,
    0,
  ],
  'needs no header': [
    time,
    async (client) => statusOf(await client.post(time, { data: { [time]: 5 } })),
    4,
    0,
  ],
  'can be read': ['FindMe', statusOfRead('FindMe'), 5, 0],
  'can be written without data': [time, calls(time), 1, 0],
  'can be written under another key': [time, calls(time, { Value: 5 }), 2, 0],
  'has another section': [
    time,
    readsAfter((client) => writes(time, 5)(client).then(() => applicationDefaults(client)), time),
    5,
    600,
  ],
  'has another default': [time, readsAfter(factoryDefaults, time), 600, 601],
  'answers another type': [time, reads(time), { [time]: 600 }, { [time]: '600' }],
  'answers another key': [time, reads(time), { [time]: 600 }, { tsctcupdatetime: 600 }],
  'answers more': [time, reads(time), { [time]: 600 }, { [time]: 600, Surplus: 1 }],
  'answers less': [time, reads(time), { [time]: 600 }, {}],
  'takes invalid data': [time, writes(time, '5'), 2, 0],
  'takes incomplete data': ['FindMe', calls('FindMe', {}), 1, 0],
  'takes numbers out of range': [time, writes(time, 9999), 6, 0],
  'takes lengths out of bounds': [text, writes(text, letters(99)), 7, 0],
  'takes illegal values': ['PerformanceProfileNumber', writes('PerformanceProfileNumber', 200), 9, 0],
  'takes a number above its maximum': [time, writes(time, 3601), 6, 0],
  'takes a number below its minimum': [time, writes(time, 0), 6, 0],
  'takes one item or letter more': [text, writes(text, letters(33)), 7, 0],
  'takes one item or letter less': ['EtherIPAddress', writes('EtherIPAddress', [1, 2, 3]), 7, 0],
  'refuses a maximum': [time, writes(time, 3600), 0, 6],
  'refuses a minimum': [time, writes(time, 1), 0, 6],
  'refuses the greatest length': [text, writes(text, letters(32)), 0, 7],
  'refuses the least length': [text, writes(text, ''), 0, 7],
  'refuses the last value': ['PerformanceProfileNumber', writes('PerformanceProfileNumber', 11), 0, 9],
  'refuses with another status': [time, writes(time, 9999), 6, 7],
  'stores its default': [time, readsAfter(writes(time, 5), time), 5, 600],
  'stores another value': [time, readsAfter(writes(time, 5), time), 5, 6],
};

async function outcome(
  act: Act,
  edition: typeof newest | typeof oldest,
  started = () => {},
): Promise<unknown> {
  const { startScanner } = await testingOf(registry);
  await using scanner = await startScanner(checkedOptions(edition));
  started();
  return await act(new Client(Number(new URL(scanner.url).port)));
}

it.each(Object.entries(effects))(
  'a scanner that %s shows it, and the next one does not',
  async (change, [name, act, right, wrong, edition = newest]) => {
    const known = Object.keys(declarationChanges).find((one): one is DeclarationChange => one === change);
    if (known === undefined) throw new Error(`there is no change ${change}`);
    const mutant = { kind: 'declaration', case: 'variable.x', name, change: known } as const;
    {
      using planted = await plantDeclaration(mutant, registry);
      expect(await outcome(act, edition, () => planted.scannerStarted())).toEqual(wrong);
    }
    expect(await outcome(act, edition)).toEqual(right);
  },
);
