import { connect } from 'node:net';
import { checkConformity } from '@azimuth/bridge/conformity';
import { openControl } from '@azimuth/bridge/control';
import { Timeline, type TimelineEntry } from '@azimuth/bridge/timeline';
import { Scanner } from '@azimuth/client';
import { LegacyScanner } from '@azimuth/client/legacy';
import { startScanner } from '@azimuth/testing';
import { expect, onTestFinished, test } from 'vitest';

const password = 'servicelevel';

async function relayed() {
  const scanner = await startScanner({ clock: 'real' });
  onTestFinished(() => scanner.close());
  const timeline = new Timeline();
  const entries: TimelineEntry[] = [];
  timeline.follow((entry) => entries.push(entry));
  checkConformity(timeline);
  const failures: unknown[] = [];
  const { legacyA, legacyB } = scanner.ports;
  const control = await openControl({
    target: { url: scanner.url },
    legacy: { text: legacyA ?? 0, binary: legacyB ?? 0 },
    host: '127.0.0.1',
    ports: { http: 0, text: 0, binary: 0 },
    timeline,
    failed: (error) => failures.push(error),
  });
  onTestFinished(async () => {
    await control.close();
    expect(failures).toEqual([]);
    expect(entries.filter(({ kind }) => kind === 'finding')).toEqual([]);
  });
  const { http = 0, text = 0, binary = 0 } = control.ports;
  return { scanner, entries, url: `http://127.0.0.1:${http}`, text, binary };
}

/** What is on the timeline, as text: also what a secret would be found in. */
function told(entries: readonly TimelineEntry[]): string {
  return entries
    .map((entry) =>
      JSON.stringify(entry, (_, value) =>
        value?.type === 'Buffer' ? Buffer.from(value.data).toString('latin1') : value,
      ),
    )
    .join('\n');
}

test('passes reads, writes with a login, and events, and tells them without secrets', async () => {
  const { scanner, entries, url } = await relayed();
  const client = new Scanner({ url, user: 'Service', password });
  onTestFinished(() => client.close());
  await client.write('LocationName', 'Gate 3');
  for await (const { data } of client.events('CurrentTempDev')) {
    if (data === 41) break;
    await scanner.simulation.temperature(41);
  }
  expect(scanner.read('LocationName')).toBe('Gate 3');
  const answers = [url, scanner.url].map(async (base) => {
    const response = await fetch(`${base}/api/DeviceIdent`);
    return [response.status, response.headers.get('content-type'), await response.text()];
  });
  const [through, direct] = await Promise.all(answers);
  expect(through).toEqual(direct);
  const all = told(entries);
  expect(all).toContain('"path":"/api/LocationName"');
  expect(all).toContain('Gate 3');
  expect(all).toContain('CurrentTempDev');
  expect(all).not.toMatch(/"response":\s*"[0-9a-f]{64}"/);
});

test('passes the legacy protocol in text and binary, with logins', async () => {
  const { scanner, entries, text, binary } = await relayed();
  for (const [framing, port] of [
    ['text', text],
    ['binary', binary],
  ] as const) {
    const client = await LegacyScanner.connect({ host: '127.0.0.1', port, framing });
    await client.login('Service', password);
    await client.write('LocationName', `Gate ${framing}`);
    expect([await client.read('LocationName'), scanner.read('LocationName')]).toEqual([
      `Gate ${framing}`,
      `Gate ${framing}`,
    ]);
    client.close();
  }
  await expect.poll(() => entries.filter(({ kind }) => kind === 'closed').length).toBe(2);
  const telegrams = entries.flatMap((entry) =>
    entry.kind === 'legacy' ? [Buffer.from(entry.bytes).toString('latin1')] : [],
  );
  expect(telegrams[0]).toBe('\x02sMN SetAccessMode 0 00000000\x03');
  expect(telegrams[1]).toBe('\x02sAN SetAccessMode 1\x03');
  expect(telegrams.join()).not.toContain('81BE23AA');
});

test('lets no telegram through that a web page has sent in a request', async () => {
  const { scanner, text } = await relayed();
  const socket = connect(text, '127.0.0.1');
  socket.write(
    'POST / HTTP/1.1\r\nHost: a\r\n\r\n\x02sMN SetAccessMode 4 81BE23AA\x03\x02sWN LocationName 5 Ghost\x03',
  );
  await new Promise((resolve) => socket.once('close', resolve).resume());
  expect(scanner.read('LocationName')).toBe('not defined');
});
