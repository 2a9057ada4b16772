import { once } from 'node:events';
import { createServer } from 'node:net';
import { MemoryStorage } from '@azimuth/device';
import { ethernet, legacyProtocols } from '@azimuth/model';
import { expect, onTestFinished, test } from 'vitest';
import { listens } from '../../../../tests/support/raw-connection.js';
import { Bench, bootMilliseconds } from '../../../../tests/support/service-test-bench.js';
import { until } from '../../../../tests/support/waiting.js';
import { PortTaken } from '../../src/index.js';
import { LegacyWire } from './legacy-wire.js';

const { EtherAuxIPPort, EtherHostIPPort, EtherAuxEnabled } = legacyProtocols.members;
const service = 'sMN SetAccessMode 4 81BE23AA';

/** A port that is taken until it is left. */
async function taken(): Promise<{ port: number; leave: () => void }> {
  const server = createServer().listen({ port: 0, host: '127.0.0.1', exclusive: true });
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return { port, leave: () => server.close() };
}

async function free(): Promise<number> {
  const { port, leave } = await taken();
  leave();
  return port;
}

/** A scanner whose ports are those of its settings, brought into force. */
async function moved(bench: Bench, a: number, b: number): Promise<void> {
  const { device } = bench.service;
  device.parameters.change((change) => change.set(EtherAuxIPPort, a).set(EtherHostIPPort, b));
  device.network.activate();
  await until(() => bench.service.ports.legacyA === a && bench.service.ports.legacyB === b);
}

test('ports move with EthernetUpdate, after its answer is out, and what was connected is closed', async () => {
  const bench = await Bench.start({ legacy: {}, network: {} });
  const [a, b, next] = [await free(), await free(), await free()];
  await moved(bench, a, b);
  const wire = await LegacyWire.open(a);
  await wire.ask(service);
  expect(await wire.ask(`sWN EtherAuxIPPort ${next.toString(16)}`)).toBe('sWA EtherAuxIPPort');
  expect(bench.service.ports.legacyA).toBe(a);
  expect(await wire.ask('sMN EthernetUpdate')).toBe('sAN EthernetUpdate');
  await wire.closed;
  await until(() => bench.service.ports.legacyA === next);
  expect(bench.service.ports.legacyB).toBe(b);
  expect(await listens(a)).toBe(false);
  const again = await LegacyWire.open(next);
  expect(await again.ask('sRN SCdevicestate')).toBe('sRA SCdevicestate 1');
});

test('a port that is taken is told, the old one stays, and it is asked for again', async () => {
  const bench = await Bench.start({ legacy: {} });
  const [a, b, other] = [await free(), await free(), await taken()];
  await moved(bench, a, b);
  const wire = await LegacyWire.open(a);
  const { device } = bench.service;
  device.parameters.change((change) => change.set(EtherAuxIPPort, other.port));
  device.network.activate();
  await until(() =>
    bench.log.lines.some(({ message }) => message.includes('interface A cannot open its port')),
  );
  expect(bench.service.ports.legacyA).toBe(a);
  expect(await wire.ask('sRN SCdevicestate')).toBe('sRA SCdevicestate 1');
  other.leave();
  await until(() => {
    bench.clock.advance(1000);
    return bench.service.ports.legacyA === other.port;
  });
  await wire.closed;
});

test('both change places', async () => {
  const bench = await Bench.start({ legacy: {} });
  const [a, b] = [await free(), await free()];
  await moved(bench, a, b);
  await moved(bench, b, a);
  const wire = await LegacyWire.open(a);
  expect(await wire.ask('sRN SCdevicestate')).toBe('sRA SCdevicestate 1');
});

test('EtherAuxEnabled closes both with all sessions, and opens them again', async () => {
  const bench = await Bench.start();
  const { portA, portB } = bench;
  const { device } = bench.service;
  const wire = await LegacyWire.open(portA);
  await wire.ask(service);
  expect(await wire.ask('sWN EtherAuxEnabled 0')).toBe('sWA EtherAuxEnabled');
  expect(await wire.ask('sMN EthernetUpdate')).toBe('sAN EthernetUpdate');
  await wire.closed;
  await until(() => bench.service.ports.legacyA === null && bench.service.ports.legacyB === null);
  expect(await listens(portA)).toBe(false);
  device.parameters.change((change) => change.set(EtherAuxEnabled, true));
  device.network.activate();
  await until(() => bench.service.ports.legacyA !== null && bench.service.ports.legacyB !== null);
  expect(bench.service.ports).toMatchObject({ legacyA: portA, legacyB: portB });
});

test('ports that were chosen stay, whatever the settings say, and over reboots', async () => {
  const [a, b] = [await free(), await free()];
  const bench = await Bench.start({ legacy: { portA: a, portB: b } });
  const { device } = bench.service;
  device.parameters.change((change) => change.set(EtherAuxIPPort, 3111));
  device.network.activate();
  device.lifecycle.reboot();
  bench.clock.advance(bootMilliseconds);
  await until(() => bench.service.ports.legacyA !== null && bench.service.ports.legacyB !== null);
  expect(bench.service.ports).toMatchObject({ legacyA: a, legacyB: b });
});

test('a chosen port that is taken refuses the start; one of the settings does not', async () => {
  const { port } = await taken();
  await expect(Bench.start({ legacy: { portA: port, portB: 0 } })).rejects.toThrow(PortTaken);
  await expect(Bench.start({ legacy: { portA: 0, portB: port } })).rejects.toThrow('--legacy-b-port');
  const [a, b] = [await Bench.start({ legacy: {} }), await Bench.start({ legacy: {} })];
  const told = [a, b].flatMap(({ log }) => log.lines.map(({ message }) => message));
  expect(told.filter((message) => message.includes('interface A cannot open')).length).toBeGreaterThan(0);
});

test('both follow the address, and go on while the web server is off', async () => {
  const bench = await Bench.start({ network: { mode: 'rebind' } });
  const { device } = bench.service;
  device.parameters.change((change) => change.set(ethernet.members.EtherIPAddress, [127, 0, 0, 9]));
  device.network.activate();
  const { portA } = bench;
  await until(() => bench.log.lines.some(({ message }) => message.endsWith(`tcp://127.0.0.9:${portA}`)));
  const wire = await LegacyWire.open(portA, '127.0.0.9');
  expect(await wire.ask('sRN SCdevicestate')).toBe('sRA SCdevicestate 1');
});

test('where it is to be out of the way, any free port takes the place of one that is taken at the start', async () => {
  const [a, b, next] = [await taken(), await free(), await free()];
  const storage = new MemoryStorage();
  const before = await Bench.start({ storage, legacy: {} });
  before.service.device.parameters.change((change) =>
    change.set(EtherAuxIPPort, a.port).set(EtherHostIPPort, b),
  );
  await before.service.device.saving.storeWorking();
  await before.service.close();

  const bench = await Bench.start({ storage, legacy: { useFreePortIfInUse: true } });
  const { portA } = bench;
  expect(portA).not.toBe(a.port);
  expect(bench.portB).toBe(b);
  expect(bench.log.lines.filter(({ severity }) => severity !== 'info')).toEqual([]);
  const { device } = bench.service;
  device.network.activate();
  await (await LegacyWire.open(portA)).ask('sRN SCdevicestate');
  expect(bench.portA).toBe(portA);
  await moved(bench, next, b);
  a.leave();
  await moved(bench, a.port, b);
});
