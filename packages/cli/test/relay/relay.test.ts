import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { receiveUdp } from '@azimuth/client/receive';
import { readRecording } from '@azimuth/telegrams';
import { freePort, freeUdpPort } from '@azimuth/test-support/free-port';
import { temporaryFolder } from '@azimuth/test-support/serve-process';
import { startScanner } from '@azimuth/testing';
import { expect, onTestFinished, test, vi } from 'vitest';
import { azimuth } from '../run.js';

test('passes on telegrams and requests, records them, and puts the settings back', async () => {
  vi.stubEnv('AZIMUTH_PASSWORD', 'servicelevel');
  const scanner = await startScanner({ clock: 'real' });
  onTestFinished(() => scanner.close());
  const program = await receiveUdp({ port: 0, host: '127.0.0.1' });
  onTestFinished(() => program.close());
  const file = join(temporaryFolder(), 'hall.azrec');
  const port = await freePort();
  const before = await settings(scanner.url);
  const relay = azimuth(
    ...['relay', '--device', scanner.url, '--aim', '--to', `udp://127.0.0.1:${program.address.port}`],
    ...['--record', file, '--http-port', `${port}`],
  );
  const [first] = await firstOf(program);
  expect(first?.telegram.kind).toBe('scan');
  expect(await settings(`http://127.0.0.1:${port}`)).not.toEqual(before);
  process.emit('SIGHUP');
  const { stderr, exitCode } = await relay;
  expect([exitCode, stderr]).toEqual([0, expect.stringContaining('passes on 127.0.0.1, UDP port')]);
  expect(await settings(scanner.url)).toEqual(before);
  const [recorded] = [...readRecording(readFileSync(file))];
  expect(Buffer.from(recorded?.telegram ?? [])).toEqual(Buffer.from(first?.bytes ?? []));
});

test('says what is missing or taken, before anything is sent', async () => {
  const failed = async (...words: string[]) => {
    const { stderr, exitCode } = await azimuth('relay', '--listen', '0', ...words);
    return `${exitCode} ${stderr}`;
  };
  const plan = join(temporaryFolder(), 'plan.yaml');
  writeFileSync(plan, 'faults:\n  - kind: device-power-cut\n');
  const port = await freePort();
  expect(await failed()).toContain('2 azimuth: name what to pass on');
  expect(await failed('--to', 'hall:3000')).toContain('expected udp://HOST:PORT');
  expect(await failed('--to', `udp://127.0.0.1:${await freeUdpPort()}`, '--faults', plan)).toContain(
    'faults[0].kind: a fault of what passes',
  );
  const twice = `tcp-listen://127.0.0.1:${port}`;
  expect(await failed('--to', twice, '--to', twice)).toContain(
    `1 azimuth: ${twice} cannot be opened: another program uses this port (EADDRINUSE)`,
  );
});

async function settings(url: string): Promise<unknown> {
  const response = await fetch(`${url}/api/ScanDataEthSettings`);
  return response.json();
}

async function firstOf<T>(source: AsyncIterable<T>): Promise<[T | undefined]> {
  for await (const one of source) return [one];
  return [undefined];
}

test('serves a recorded session in place of the scanner', async () => {
  const scanner = await startScanner();
  onTestFinished(() => scanner.close());
  const file = join(temporaryFolder(), 'service.jsonl');
  const answer = async (...words: string[]) => {
    const port = await freePort();
    const relay = azimuth('relay', '--device', scanner.url, '--http-port', `${port}`, ...words);
    const read = async (name: string) => (await fetch(`http://127.0.0.1:${port}/api/${name}`)).text();
    const known = await vi.waitFor(() => read('SerialNumber'));
    const unknown = words.includes('--replay') ? await read('OrderNumber') : '';
    process.emit('SIGHUP');
    const { exitCode, stderr } = await relay;
    expect([exitCode, stderr]).toEqual([0, `azimuth: REST and events at http://127.0.0.1:${port}\n`]);
    return { known, unknown };
  };
  const { known } = await answer('--session', file);
  await scanner.close();
  const replayed = await answer('--replay', file);
  expect(replayed.known).toBe(known);
  expect(replayed.unknown).toContain('"status":3');
});

test('ends after its time', async () => {
  const words = ['--to', `udp://127.0.0.1:${await freeUdpPort()}`, '--seconds', '0.5'];
  expect((await azimuth('relay', '--listen', '0', ...words)).exitCode).toBe(0);
});
