import { dateAndSystemTime, type Edition, eventsOf, inputsAndOutputs, PortType } from '@azimuth/model';
import { VirtualHardware } from '@azimuth/simulation';
import { acceptedSockets } from '@azimuth/test-support/accepted-sockets';
import { LogBook } from '@azimuth/test-support/log-book';
import { TestScanner } from '@azimuth/test-support/test-scanner';
import { until } from '@azimuth/test-support/waiting';
import { expect, test } from 'vitest';
import { LegacyWire } from './legacy-wire.js';

const edition: Edition = { release: '2.4.4', variant: 'full' };
const service = 'sMN SetAccessMode 4 81BE23AA';
const { PortConfiguration } = inputsAndOutputs.members;

test('every event can be subscribed to and unsubscribed from, in both encodings', async () => {
  const scanner = await TestScanner.start();
  const wire = await LegacyWire.open(scanner.portA);
  const names = [...eventsOf(edition).keys()];
  expect(names.length).toBeGreaterThan(10);
  for (const name of names) {
    expect(await wire.ask(`sEN ${name} 1`)).toBe(`sEA ${name} 1`);
    expect(await wire.ask(`sEN ${name} 0`)).toBe(`sEA ${name} 0`);
    expect((await wire.askBinary(`sEN ${name} \u0001`)).toString('latin1')).toBe(`sEA ${name} \u0001`);
    expect((await wire.askBinary(`sEN ${name} \u0000`)).toString('latin1')).toBe(`sEA ${name} \u0000`);
  }
});

test('a change is sent to each subscriber in its encoding, and to its author after the answer', async () => {
  const scanner = await TestScanner.start();
  const [author, text, binary] = [
    await LegacyWire.open(scanner.portA),
    await LegacyWire.open(scanner.portB),
    await LegacyWire.open(scanner.portB),
  ];
  await author.ask(service);
  await author.ask('sEN FREchoFilter 1');
  await text.ask('sEN FREchoFilter 1');
  await text.ask('sEN FREchoFilter 1');
  await binary.askBinary('sEN FREchoFilter \u0001');
  expect(await author.ask('sWN FREchoFilter 2')).toBe('sWA FREchoFilter');
  expect(await author.text()).toBe('sSN FREchoFilter 2');
  expect(await text.text()).toBe('sSN FREchoFilter 2');
  expect((await binary.binary()).toString('latin1')).toBe('sSN FREchoFilter \u0002');
  await text.ask('sEN FREchoFilter 0');
  // A write of the present value is no change.
  await author.ask('sWN FREchoFilter 2');
  expect(await author.ask('sWN FREchoFilter 0')).toBe('sWA FREchoFilter');
  expect(await author.text()).toBe('sSN FREchoFilter 0');
  expect((await binary.binary()).toString('latin1')).toBe('sSN FREchoFilter \u0000');
  expect(await text.ask('sRN FREchoFilter')).toBe('sRA FREchoFilter 0');
});

test('inputs and outputs are those of the interface under other names', async () => {
  const hardware = new VirtualHardware(new LogBook());
  const scanner = await TestScanner.start({ hardware: () => hardware });
  const wire = await LegacyWire.open(scanner.portA);
  await wire.ask('sEN LIDinputstate 1');
  hardware.setInput(4, true);
  scanner.clock.advance(20);
  expect(await wire.text()).toMatch(/^sSN LIDinputstate 1 [0-9A-F]+ 2 2 0 1 0 0 2 2 1 7[0-9A-F]{2} /);
  expect(await wire.ask('sRN LIDoutputstate')).toMatch(/^sRA LIDoutputstate 1 [0-9A-F]+ (1 1 ){2}(2 0 ){6}/);
  await wire.ask('sEN LIDinputstate 0');
  const { parameters } = scanner.service.device;
  const ports = parameters.read(PortConfiguration);
  const asOutput = ports.map((port, index) => (index === 5 ? { ...port, PortType: PortType.OUTPUT } : port));
  scanner.service.device.write(PortConfiguration, asOutput, { level: 'Service' });
  // Drivers skip entries that are 2, and count the others: an inactive output keeps its position.
  expect(await wire.ask('sRN LIDoutputstate')).toMatch(
    /^sRA LIDoutputstate 1 [0-9A-F]+ (1 1 ){2}(2 0 ){3}0 0 (2 0 ){2}/,
  );
});

test('a value that changes continuously is sent to its subscribers until their session ends', async () => {
  const scanner = await TestScanner.start();
  const wire = await LegacyWire.open(scanner.portA);
  await wire.ask('sEN LSPdatetime 1');
  scanner.clock.advance(1000);
  expect(await wire.text()).toMatch(/^sSN LSPdatetime 7/);
  let told = 0;
  scanner.service.device.announcements.subscribe((changed) => {
    if (changed.some((variable) => variable === dateAndSystemTime.members.LSPdatetime)) told++;
  });
  scanner.clock.advance(1000);
  expect(told).toBe(1);
  await wire.text();
  wire.socket.end();
  await wire.closed;
  told = 0;
  scanner.clock.advance(5000);
  expect(told).toBe(0);
});

test('if a client does not read its events, it later gets only the newest values', async () => {
  const scanner = await TestScanner.start();
  const { device } = scanner.service;
  const accepted = acceptedSockets();
  const [slow, witness] = [await LegacyWire.open(scanner.portA), await LegacyWire.open(scanner.portA)];
  await slow.ask('sEN PortConfiguration 1');
  await witness.ask('sEN FREchoFilter 1');
  // The system accepts nothing more for it, as it does once some MiB fill the buffers of both ends.
  const [theirs] = accepted;
  theirs?.cork();
  const ports = device.parameters.read(PortConfiguration);
  const name = (text: string) => ports.map((port) => ({ ...port, Name: text.padEnd(20, '.') }));
  const changes = 2000;
  for (let change = 0; change <= changes; change++) {
    device.parameters.change((it) => it.set(PortConfiguration, name(`port ${change}`)));
    // Waits for a turn of the event loop, in which waiting data is sent.
    if (change % 100 === 0) expect(await witness.ask('sRN FREchoFilter')).toBe('sRA FREchoFilter 1');
  }
  expect(theirs?.writableLength).toBeLessThan(500_000);
  theirs?.uncork();
  const last = `port ${changes}`;
  await until(() => slow.received.includes(last));
  const told = slow.received.toString('latin1').split('\u0002').length - 1;
  expect(told).toBeLessThan(changes);
});
