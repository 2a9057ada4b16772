import { readFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expectDone } from '@azimuth/test-support/envelope';
import { UdpReceiver } from '@azimuth/test-support/streams/receiver';
import { TestScanner } from '@azimuth/test-support/test-scanner';
import { until } from '@azimuth/test-support/waiting';
import { expect, onTestFinished, test } from 'vitest';

const packages = fileURLToPath(new URL('../packages', import.meta.url));

/** The files of ours in which something is executed while `act` runs. */
async function filesPassed(act: () => Promise<void>): Promise<string[]> {
  const session = new Session();
  session.connect();
  onTestFinished(() => session.disconnect());
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  await session.post('Profiler.takePreciseCoverage');
  await act();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  return (
    result
      .filter(({ functions }) => functions.some(({ ranges }) => ranges.some(({ count }) => count > 0)))
      .map(({ url }) => relative(packages, url.startsWith('file:') ? fileURLToPath(url) : url))
      // A limits.ts holds only constants: Vitest reads each of them through a function, a program does not. The virtual
      // clock belongs to the test.
      .filter((file) => /^[a-z]+\/src\/(?!clock\/virtual-clock|(?:[a-z]+\/)?limits\.ts)/.test(file))
      .filter((file) => !onlyExports(readFileSync(join(packages, file), 'utf8')))
      .sort()
  );
}

/** True for an entry of a package that only exports what other files have. */
function onlyExports(text: string): boolean {
  const code = text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^export (?:type )?[^;]*? from '[^']*';$/gm, '');
  return code.trim() === '';
}

/** The files that docs/architecture.md lists under this heading. */
function filesInDocs(heading: string): readonly string[] {
  const docs = readFileSync(new URL('../docs/architecture.md', import.meta.url), 'utf8');
  const [, section = ''] = docs.split(`\n## ${heading}\n`);
  const [text = ''] = section.split('\n## ');
  return [...text.matchAll(/`([a-z]+\/src\/[\w/-]+)`/g)].map(([, file]) => `${file}.ts`).sort();
}

test('a write passes at most 15 files, which docs/architecture.md lists, on a connection that has asked before', async () => {
  const scanner = await TestScanner.start();
  const client = scanner.client();
  expectDone(await client.write('LocationName', 'before'));
  const header = await client.header('LocationName');
  const write = () => client.post('LocationName', { header, data: { LocationName: 'gate 3' } });
  const passed = await filesPassed(async () => expectDone(await write()));
  expect(passed.length, passed.join('\n')).toBeLessThanOrEqual(15);
  expect(filesInDocs('How a write runs')).toEqual(passed);
});

test('a scan passes at most 33 files on its way to datagrams, which docs/architecture.md lists, with all filters off', async () => {
  const receiver = await UdpReceiver.open();
  const scanner = await TestScanner.start();
  const client = scanner.client();
  const destination = { Protocol: 1, IPAddress: [127, 0, 0, 1], Port: receiver.port };
  expectDone(await client.write('ScanDataEthSettings', destination));
  expectDone(await client.write('ScanDataEnable', true));
  const telegrams = () => receiver.all.length;
  await until(() => {
    scanner.clock.advance(5);
    return telegrams() > 20;
  });
  const before = telegrams();
  const passed = await filesPassed(() =>
    until(() => {
      scanner.clock.advance(5);
      return telegrams() > before + 20;
    }),
  );
  expect(passed.length, passed.join('\n')).toBeLessThanOrEqual(33);
  expect(filesInDocs('How scan data is made')).toEqual(passed);
});
