import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import * as ownModel from '@azimuth/model';
import { ModuleRegistry } from '@azimuth/test-support/mutants/module-registry';
import { plantedSource } from '@azimuth/test-support/mutants/planted-source';
import { testingOf } from '@azimuth/test-support/mutants/testing-of';
import { until } from '@azimuth/test-support/waiting';
import { expect, it } from 'vitest';

/** Modules with a planted fault: another message of success. */
async function registryWithFault(): Promise<ModuleRegistry> {
  return ModuleRegistry.planted(
    await plantedSource({
      kind: 'source',
      case: 'status.ok',
      file: 'packages/model/src/envelope.ts',
      from: "message: 'Ok'",
      to: "message: 'Okay'",
    }),
    new ModuleRegistry(),
  );
}

/** Returns the message of a successful read. */
async function messageOf(url: string): Promise<string> {
  const response = await fetch(`${url}/api/SerialNumber`);
  const { header }: { readonly header: { readonly message: string } } = await response.json();
  return header.message;
}

it('a scanner with a planted fault shows it on its wires, and one that starts beside it does not', async () => {
  const mutated = await testingOf(await registryWithFault());
  const unchanged = await testingOf(new ModuleRegistry());
  await using wrong = await mutated.startScanner();
  await using right = await unchanged.startScanner();
  expect([await messageOf(wrong.url), await messageOf(right.url)]).toEqual(['Okay', 'Ok']);
});

it('the modules of a registry are its own, and those of the test stay as they are', async () => {
  const registries = [new ModuleRegistry(), await registryWithFault()];
  const [first = {}, second = {}] = await Promise.all(
    registries.map((each) => each.import('@azimuth/model')),
  );
  const refusals = [first, second, ownModel].map((model) => Reflect.get(model, 'Refusal'));
  expect(new Set(refusals).size).toBe(3);
  const { statuses } = ownModel;
  expect(Reflect.get(first, 'statuses')).toEqual(statuses);
  expect(Reflect.get(second, 'statuses')).toEqual({ ...statuses, ok: { ...statuses.ok, message: 'Okay' } });
  expect(await registries[0]?.import('@azimuth/model')).toBe(first);
});

it('modules that a scanner imports while it runs are those of its registry', async () => {
  const registry = new ModuleRegistry();
  const { startScanner } = await testingOf(registry);
  const lateModule = 'packages/simulation/src/map/load-map.ts';
  expect([registry.has('packages/device/src/device.ts'), registry.has(lateModule)]).toEqual([true, false]);
  await using scanner = await startScanner();
  await scanner.simulation.scene('packages/simulation/scenes/hall.yaml');
  expect(registry.has(lateModule)).toBe(true);
});

it('a registry has no modules of others', async () => {
  await expect(new ModuleRegistry().import('ws')).rejects.toThrow('expected one of our packages, got ws');
});

it('a registry is collected when its scanner is closed', async () => {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  const registries = [await startAndClose(), await startAndClose(), await startAndClose()];
  await until(() => {
    collect();
    return registries.every((registry) => registry.deref() === undefined);
  });
  expect(registries.map((registry) => registry.deref())).toEqual([undefined, undefined, undefined]);
});

async function startAndClose(): Promise<WeakRef<ModuleRegistry>> {
  const registry = new ModuleRegistry();
  const { startScanner } = await testingOf(registry);
  await using scanner = await startScanner();
  expect(await messageOf(scanner.url)).toBe('Ok');
  return new WeakRef(registry);
}

it('only the modules that depend on a planted fault are evaluated again', async () => {
  const base = new ModuleRegistry();
  const planted = await ModuleRegistry.planted(
    await plantedSource({
      kind: 'source',
      case: 'status.ok',
      file: 'packages/server/src/rest/response-bodies.ts',
      from: '{ [name]: value, ...',
      to: '{ [name]: 0, ...',
    }),
    base,
  );
  const place = 'packages/device/src/device.ts';
  expect(await planted.source(place)).toBe(await base.source(place));
  for (const own of ['packages/server/src/rest/response-bodies.ts', 'packages/testing/src/index.ts'])
    expect(await planted.source(own)).not.toBe(await base.source(own));
});
