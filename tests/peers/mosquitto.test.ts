import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LogEntry, MonitorClock } from '@azimuth/monitor';
import { type MqttOptions, MqttOutput } from '@azimuth/monitor/mqtt';
import { chain, keyPem } from '@azimuth/test-support/certificates';
import { temporaryFolder } from '@azimuth/test-support/files';
import { MonitorProcess } from '@azimuth/test-support/monitor-process';
import { Mosquitto, passwordFile, type Watcher } from '@azimuth/test-support/mosquitto';
import { startScanner, type TestScanner } from '@azimuth/testing';
import { describe, expect, onTestFinished, test, vi } from 'vitest';

const soon = { timeout: 15_000 };
const until = (check: () => void) => vi.waitFor(check, soon);

/** Attempts follow each other quickly. */
const clock: MonitorClock = {
  now: () => Date.now(),
  pause: (milliseconds, signal) =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds >= 30_000 ? milliseconds : milliseconds / 50);
      signal?.addEventListener('abort', () => {
        clearTimeout(timer);
        resolve();
      });
    }),
};

function published(broker: { readonly url: string }, options: Partial<MqttOptions> = {}) {
  const reports: string[] = [];
  const report = (text: string) => {
    reports.push(text);
  };
  const output = new MqttOutput({ name: 'mqtt', clock, filter: {}, report, url: broker.url, ...options });
  onTestFinished(() => output.close(1000));
  return { output, reports };
}

const event = (text: string, scanner = 'gate1'): LogEntry => ({
  ...{ kind: 'condition', at: Date.now(), scanner, change: 'begins', condition: 'unreachable', part: '' },
  ...{ severity: 'error', text, since: Date.now() },
});

const eventTexts = ({ all }: Watcher) =>
  all.filter(({ topic }) => topic.endsWith('/event')).map(({ payload }) => JSON.parse(payload).data.text);

describe('a monitor with a broker', () => {
  async function monitored(more = '') {
    const broker = await Mosquitto.start();
    const scanner = await startScanner({ asDevice: true });
    onTestFinished(() => scanner.close());
    const file = join(temporaryFolder(), 'monitor.yaml');
    writeFileSync(
      file,
      `devices: ['${scanner.url}']
interval: 1
log: {folder: log}
outputs: {mqtt: [{url: '${broker.url}', home-assistant: true${more}}]}
`,
    );
    const monitor = await MonitorProcess.start(file);
    return { broker, scanner, monitor, watcher: await broker.watch() };
  }

  const level = ({ url }: TestScanner) => encodeURIComponent(url);

  test('publishes the state of a scanner, and the will after kill -9', async () => {
    const { scanner, monitor, watcher, broker } = await monitored();
    const topic = (rest: string) => `azimuth/${level(scanner)}/${rest}`;
    await until(() => expect(watcher.last.get(topic('availability'))).toBe('online'));
    await until(() => expect(watcher.last.get('azimuth/status')).toBe('online'));
    await until(() => expect(watcher.last.get(topic('state'))).toBeDefined());
    expect(JSON.parse(watcher.last.get(topic('state')) ?? '')).toMatchObject({
      device_status: 3,
      reachable: 1,
    });
    await monitor.kill();
    await until(() => expect(watcher.last.get('azimuth/status')).toBe('offline'));
    // Who comes later gets what is retained.
    const late = await broker.watch();
    await until(() => expect(late.last.get('azimuth/status')).toBe('offline'));
    expect(late.all.find((message) => message.topic === topic('state'))?.retain).toBe(true);
  });

  test('tells that a scanner is gone, as a condition and as an event', async () => {
    const { scanner, watcher } = await monitored();
    const topic = (rest: string) => `azimuth/${level(scanner)}/${rest}`;
    await until(() => expect(watcher.last.get(topic('availability'))).toBe('online'));
    await until(() => expect(watcher.last.get(topic('condition/unreachable'))).toBeDefined());
    expect(JSON.parse(watcher.last.get(topic('condition/unreachable')) ?? '')).toMatchObject({
      active: false,
    });
    await scanner.close();
    await until(() => expect(watcher.last.get(topic('availability'))).toBe('offline'));
  });

  test('carries out what messages may do, with the password of the scanner', async () => {
    vi.stubEnv('AZIMUTH_PASSWORD', 'servicelevel');
    onTestFinished(() => {
      vi.unstubAllEnvs();
    });
    const { scanner, watcher } = await monitored(', commands: [find-me]');
    await until(() => expect(watcher.last.get('azimuth/status')).toBe('online'));
    const send = (payload: string) =>
      watcher.client.publishAsync(`azimuth/${level(scanner)}/command`, payload, {
        ...{ qos: 1, properties: { responseTopic: 'desk/7' } },
      });
    await send('find-me');
    await until(() => expect(JSON.parse(watcher.last.get('desk/7') ?? '')).toEqual({ outcome: 'done' }));
    await send('reboot');
    await until(() =>
      expect(JSON.parse(watcher.last.get('desk/7') ?? '')).toEqual({
        ...{ outcome: 'refused', text: 'reboot is not allowed' },
      }),
    );
    expect(watcher.all.map(({ payload }) => payload).join('\n')).not.toContain('servicelevel');
  });

  test('describes each scanner to Home Assistant', async () => {
    const { watcher } = await monitored();
    const entities = () => [...watcher.last].filter(([topic]) => topic.startsWith('homeassistant/'));
    await until(() => expect(entities().length).toBeGreaterThan(10));
    await until(() => expect(watcher.last.get('azimuth/status')).toBe('online'));
    for (const [topic, payload] of entities()) {
      expect(topic).toMatch(/^homeassistant\/(binary_sensor|sensor)\/[\w-]+\/[\w-]+\/config$/);
      const entity = JSON.parse(payload);
      expect(watcher.last.has(entity.state_topic), payload).toBe(true);
      for (const { topic: availability } of entity.availability)
        expect(watcher.last.has(availability), payload).toBe(true);
    }
    const ids = entities().map(([, payload]) => JSON.parse(payload).unique_id);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe('what was promised', () => {
  test('entries that wait while the broker is gone arrive in order when it is back', async () => {
    const broker = await Mosquitto.start();
    const { output, reports } = published(broker);
    output.accept(event('before'));
    await until(() => expect(output.counts.delivered).toBe(1));
    await broker.kill();
    const texts = Array.from({ length: 50 }, (_, index) => `while it is gone: ${index}`);
    for (const text of texts) output.accept(event(text));
    await until(() => expect(reports.join()).toContain('mqtt cannot send: '));
    await broker.up();
    const watcher = await broker.watch();
    await until(() => expect(output.counts.waiting).toBe(0));
    expect(output.counts).toEqual({ delivered: 51, lost: 0, waiting: 0 });
    expect(reports.at(-1)).toBe('mqtt works again');
    output.accept(event('after'));
    await until(() => expect(eventTexts(watcher).at(-1)).toBe('after'));
    // Those that came before this client was there are with the broker no more: events are not retained.
    const seen = eventTexts(watcher).slice(0, -1);
    expect(texts.slice(texts.length - seen.length)).toEqual(seen);
  });

  test('events reach a client with a session, each of them', async () => {
    const broker = await Mosquitto.start();
    const { output } = published(broker);
    output.accept(event('before'));
    await until(() => expect(output.counts.delivered).toBe(1));
    const watcher = await broker.watch('azimuth/+/event', 'desk');
    await broker.stop();
    const queued = Array.from({ length: 20 }, (_, index) => `queued ${index}`);
    for (const text of queued) output.accept(event(text));
    await broker.up();
    await until(() => expect(output.counts.waiting).toBe(0));
    output.accept(event('last'));
    await until(() => expect(eventTexts(watcher)).toEqual([...queued, 'last']));
  });

  test.each(['stop', 'kill'] as const)('retained topics are there after %s of the broker', async (end) => {
    const broker = await Mosquitto.start();
    const { output } = published(broker);
    output.accept(event('one'));
    await until(() => expect(output.counts.delivered).toBe(1));
    await broker[end]();
    await broker.up();
    const watcher = await broker.watch();
    await until(() => expect(watcher.last.get('azimuth/status')).toBe('online'));
  });

  test('says offline when it is closed', async () => {
    const broker = await Mosquitto.start();
    const watcher = await broker.watch();
    const { output } = published(broker);
    await until(() => expect(watcher.last.get('azimuth/status')).toBe('online'));
    await output.close(2000);
    await until(() => expect(watcher.last.get('azimuth/status')).toBe('offline'));
  });
});

describe('a name', () => {
  test.each(['a/b', '#', '+', '$SYS/x', '../../status', 'ü', 'x\u0000y', '%2F'])(
    'stays within its level of a topic: %j',
    async (name) => {
      const broker = await Mosquitto.start();
      const watcher = await broker.watch();
      const { output } = published(broker);
      output.accept(event('one', name));
      await until(() => expect(output.counts.delivered).toBe(1));
      await until(() => expect(watcher.all.some(({ topic }) => topic.endsWith('/event'))).toBe(true));
      const topics = watcher.all.map(({ topic }) => topic).filter((topic) => topic.endsWith('event'));
      expect(topics.every((topic) => /^azimuth\/[A-Za-z0-9._%-]+\/event$/.test(topic))).toBe(true);
    },
  );
});

describe('a login', () => {
  test('goes over TLS, with a user and a password', async () => {
    const folder = temporaryFolder();
    const [leaf, authority] = chain(2);
    if (leaf === undefined || authority === undefined) throw new Error('a chain of two');
    const file = (name: string, text: string) => {
      writeFileSync(join(folder, name), text);
      return join(folder, name);
    };
    const broker = await Mosquitto.start(
      `certfile ${file('cert.pem', leaf.certificate)}`,
      `keyfile ${file('key.pem', keyPem(leaf.keys))}`,
      `password_file ${passwordFile(folder, 'azimuth', 'S3CRET')}`,
    );
    const url = broker.url.replace('mqtt:', 'mqtts:');
    const { output } = published({ url }, { user: 'azimuth', password: 'S3CRET', ca: authority.certificate });
    output.accept(event('one'));
    await until(() => expect(output.counts.delivered).toBe(1));
    const wrong = published({ url }, { user: 'azimuth', password: 'WR0NG', ca: authority.certificate });
    await until(() => expect(wrong.reports.join()).toMatch(/mqtt cannot send: .*[Nn]ot authorized/));
    const stranger = published({ url }, { user: 'azimuth', password: 'S3CRET' });
    await until(() => expect(stranger.reports.join()).toMatch(/mqtt cannot send: .*certificate/));
    expect([...wrong.reports, ...stranger.reports].join('\n')).not.toMatch(/S3CRET|WR0NG/);
  });
});

describe('commands', () => {
  async function commanded(allowed: readonly ('reboot' | 'find-me')[] | undefined) {
    const broker = await Mosquitto.start();
    const done: string[] = [];
    const { output } = published(broker, {
      commands: allowed && {
        allowed,
        scanners: ['hall/gate1'],
        carryOut: async (scanner, command) => {
          if (done.length > 0) throw new Error('the scanner refuses');
          done.push(`${command} ${scanner}`);
        },
      },
    });
    const watcher = await broker.watch();
    await until(() => expect(watcher.last.get('azimuth/status')).toBe('online'));
    const send = (payload: string, topic = 'azimuth/hall%2Fgate1/command', more = {}) =>
      watcher.client.publishAsync(topic, payload, {
        ...{ qos: 1, properties: { responseTopic: 'desk/7', correlationData: Buffer.from('nr 5') } },
        ...more,
      });
    const responses = () =>
      watcher.all.filter(({ topic }) => topic === 'desk/7').map(({ payload }) => JSON.parse(payload));
    return { done, send, responses, watcher, output };
  }

  test('are carried out if they are allowed, and answered with their correlation data', async () => {
    const { done, send, responses, watcher } = await commanded(['find-me']);
    const data: string[] = [];
    watcher.client.on('message', (topic, _, { properties }) => {
      if (topic === 'desk/7') data.push(String(properties?.correlationData));
    });
    await send('find-me');
    await until(() => expect(responses()).toEqual([{ outcome: 'done' }]));
    expect([done, data]).toEqual([['find-me hall/gate1'], ['nr 5']]);
    await send('{"command":"find-me"}');
    await until(() => expect(responses().at(-1)).toEqual({ outcome: 'failed', text: 'the scanner refuses' }));
  });

  test('are refused if they are not allowed, unknown, retained, or for another scanner', async () => {
    const { done, send, responses } = await commanded(['find-me']);
    await send('reboot');
    await send('erase');
    await send('find-me', undefined, { retain: true });
    await send('find-me', 'azimuth/other/command');
    await until(() => expect(responses().length).toBeGreaterThanOrEqual(3));
    expect(responses().map(({ outcome }) => outcome)).not.toContain('failed');
    expect(done.length).toBeLessThanOrEqual(1);
  });

  test('are not even subscribed to by default', async () => {
    const { done, send, output } = await commanded(undefined);
    await send('reboot');
    output.accept(event('later'));
    await until(() => expect(output.counts.delivered).toBe(1));
    expect(done).toEqual([]);
  });

  test.each(['azimuth/status', 'azimuth/hall%2Fgate1/state', 'homeassistant/x', '$SYS/x', 'a/#', 'a/+'])(
    'get no response on a topic that is not for responses: %s',
    async (responseTopic) => {
      const { done, send, watcher } = await commanded(['find-me']);
      const before = watcher.all.length;
      await send('find-me', undefined, { properties: { responseTopic } }).catch(() => undefined);
      await send('reboot');
      await until(() => expect(watcher.last.has('desk/7')).toBe(true));
      expect(watcher.all.slice(before).filter(({ topic }) => topic === responseTopic)).toEqual([]);
      expect(done.length).toBeLessThanOrEqual(1);
    },
  );
});
