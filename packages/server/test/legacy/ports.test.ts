import { once } from 'node:events';
import { createServer } from 'node:net';
import { MemoryStorage } from '@azimuth/device';
import { ethernet, legacyProtocols } from '@azimuth/model';
import { listens } from '@azimuth/test-support/raw-connection';
import { bootMilliseconds, TestScanner } from '@azimuth/test-support/test-scanner';
import { until } from '@azimuth/test-support/waiting';
import { expect, onTestFinished, test } from 'vitest';
import { PortTaken } from '../../src/index.js';
import { LegacyWire } from './legacy-wire.js';

const { EtherAuxIPPort, EtherHostIPPort, EtherAuxEnabled } = legacyProtocols.members;
const service = 'sMN SetAccessMode 4 81BE23AA';

/** A port that is in use until it is released. */
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

/** Starts a scanner at the ports of its settings, which are in force. */
async function moved(scanner: TestScanner, a: number, b: number): Promise<void> {
  const { device } = scanner.service;
  device.parameters.change((change) => change.set(EtherAuxIPPort, a).set(EtherHostIPPort, b));
  device.features.network.activate();
  await until(() => scanner.service.ports.legacyA === a && scanner.service.ports.legacyB === b);
}

test('EthernetUpdate moves the ports after its answer is sent, and closes the sessions', async () => {
  const scanner = await TestScanner.start({ legacy: {}, network: {} });
  const [a, b, next] = [await free(), await free(), await free()];
  await moved(scanner, a, b);
  const wire = await LegacyWire.open(a);
  await wire.ask(service);
  expect(await wire.ask(`sWN EtherAuxIPPort ${next.toString(16)}`)).toBe('sWA EtherAuxIPPort');
  expect(scanner.service.ports.legacyA).toBe(a);
  expect(await wire.ask('sMN EthernetUpdate')).toBe('sAN EthernetUpdate');
  await wire.closed;
  await until(() => scanner.service.ports.legacyA === next);
  expect(scanner.service.ports.legacyB).toBe(b);
  expect(await listens(a)).toBe(false);
  const again = await LegacyWire.open(next);
  expect(await again.ask('sRN SCdevicestate')).toBe('sRA SCdevicestate 1');
});

test('a port in use is reported and retried, and meanwhile the old one stays', async () => {
  const scanner = await TestScanner.start({ legacy: {} });
  const [a, b, other] = [await free(), await free(), await taken()];
  await moved(scanner, a, b);
  const wire = await LegacyWire.open(a);
  const { device } = scanner.service;
  device.parameters.change((change) => change.set(EtherAuxIPPort, other.port));
  device.features.network.activate();
  await until(() =>
    scanner.log.lines.some(({ message }) => message.includes('interface A cannot open its port')),
  );
  expect(scanner.service.ports.legacyA).toBe(a);
  expect(await wire.ask('sRN SCdevicestate')).toBe('sRA SCdevicestate 1');
  other.leave();
  await until(() => {
    scanner.clock.advance(1000);
    return scanner.service.ports.legacyA === other.port;
  });
  await wire.closed;
});

test('the two interfaces can swap their ports', async () => {
  const scanner = await TestScanner.start({ legacy: {} });
  const [a, b] = [await free(), await free()];
  await moved(scanner, a, b);
  await moved(scanner, b, a);
  const wire = await LegacyWire.open(a);
  expect(await wire.ask('sRN SCdevicestate')).toBe('sRA SCdevicestate 1');
});

test('EtherAuxEnabled closes both interfaces with all sessions, and opens them again', async () => {
  const scanner = await TestScanner.start();
  const { portA, portB } = scanner;
  const { device } = scanner.service;
  const wire = await LegacyWire.open(portA);
  await wire.ask(service);
  expect(await wire.ask('sWN EtherAuxEnabled 0')).toBe('sWA EtherAuxEnabled');
  expect(await wire.ask('sMN EthernetUpdate')).toBe('sAN EthernetUpdate');
  await wire.closed;
  await until(() => scanner.service.ports.legacyA === null && scanner.service.ports.legacyB === null);
  expect(await listens(portA)).toBe(false);
  device.parameters.change((change) => change.set(EtherAuxEnabled, true));
  device.features.network.activate();
  await until(() => scanner.service.ports.legacyA !== null && scanner.service.ports.legacyB !== null);
  expect(scanner.service.ports).toMatchObject({ legacyA: portA, legacyB: portB });
});

test('ports of the command line override the settings, also after reboots', async () => {
  const [a, b] = [await free(), await free()];
  const scanner = await TestScanner.start({ legacy: { portA: a, portB: b } });
  const { device } = scanner.service;
  device.parameters.change((change) => change.set(EtherAuxIPPort, 3111));
  device.features.network.activate();
  device.lifecycle.reboot();
  scanner.clock.advance(bootMilliseconds);
  await until(() => scanner.service.ports.legacyA !== null && scanner.service.ports.legacyB !== null);
  expect(scanner.service.ports).toMatchObject({ legacyA: a, legacyB: b });
});

test('if a port of the command line is in use, the start fails; a port of the settings does not prevent it', async () => {
  const { port } = await taken();
  await expect(TestScanner.start({ legacy: { portA: port, portB: 0 } })).rejects.toThrow(PortTaken);
  await expect(TestScanner.start({ legacy: { portA: 0, portB: port } })).rejects.toThrow('--legacy-b-port');
  const [a, b] = [await TestScanner.start({ legacy: {} }), await TestScanner.start({ legacy: {} })];
  const told = [a, b].flatMap(({ log }) => log.lines.map(({ message }) => message));
  expect(told.filter((message) => message.includes('interface A cannot open')).length).toBeGreaterThan(0);
});

test('both follow the address, and continue while the web server is off', async () => {
  const scanner = await TestScanner.start({ network: { follows: true } });
  const { device } = scanner.service;
  device.parameters.change((change) => change.set(ethernet.members.EtherIPAddress, [127, 0, 0, 9]));
  device.features.network.activate();
  const { portA } = scanner;
  await until(() => scanner.log.lines.some(({ message }) => message.endsWith(`tcp://127.0.0.9:${portA}`)));
  const wire = await LegacyWire.open(portA, '127.0.0.9');
  expect(await wire.ask('sRN SCdevicestate')).toBe('sRA SCdevicestate 1');
});

test('with useFreePortIfInUse, a free port replaces a port in use at the start', async () => {
  const [a, b, next] = [await taken(), await free(), await free()];
  const storage = new MemoryStorage();
  const before = await TestScanner.start({ storage, legacy: {} });
  before.service.device.parameters.change((change) =>
    change.set(EtherAuxIPPort, a.port).set(EtherHostIPPort, b),
  );
  await before.service.device.features.saving.storeWorking();
  await before.service.close();

  const scanner = await TestScanner.start({ storage, legacy: { useFreePortIfInUse: true } });
  const { portA } = scanner;
  expect(portA).not.toBe(a.port);
  expect(scanner.portB).toBe(b);
  expect(scanner.log.lines.filter(({ severity }) => severity !== 'info')).toEqual([]);
  const { device } = scanner.service;
  device.features.network.activate();
  await (await LegacyWire.open(portA)).ask('sRN SCdevicestate');
  expect(scanner.portA).toBe(portA);
  await moved(scanner, next, b);
  a.leave();
  await moved(scanner, a.port, b);
});
