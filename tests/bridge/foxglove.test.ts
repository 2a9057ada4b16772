import { once } from 'node:events';
import { request } from 'node:http';
import { FoxgloveBridge, type FoxgloveBridgeOptions } from '@azimuth/bridge/foxglove';
import { type BridgedScanner, BridgeLogin, receiveLiveScans } from '@azimuth/bridge/scanners';
import { Scanner } from '@azimuth/client';
import { FoxgloveViewer } from '@azimuth/test-support/foxglove-viewer';
import { type StartOptions, startScanner } from '@azimuth/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';

async function bridged(options: StartOptions = {}, more: Partial<FoxgloveBridgeOptions> = {}) {
  const scanner = await startScanner({ clock: 'real', ...options });
  onTestFinished(() => scanner.close());
  const found = readOnly(scanner.url);
  const lines: string[] = [];
  const opened = await openBridge([found], lines, more);
  return { scanner, found, lines, ...opened };
}

async function openBridge(
  scanners: readonly BridgedScanner[],
  lines: string[] = [],
  more: Partial<FoxgloveBridgeOptions> = {},
) {
  const bridge = new FoxgloveBridge({
    scanners,
    host: '127.0.0.1',
    port: 0,
    allowedHosts: [],
    allowedOrigins: [],
    remoteWrites: false,
    onLine: (line) => lines.push(line),
    ...more,
  });
  const url = await bridge.open();
  onTestFinished(() => bridge.close());
  return { bridge, url };
}

/** A scanner without a login. */
function readOnly(url: string): BridgedScanner {
  const scanner = new Scanner({ url });
  return {
    name: '',
    title: 'gate',
    scanner,
    login: undefined,
    receive: async (_, means) => {
      await receiveLiveScans(scanner, means);
    },
  };
}

/** A scanner with a login, as the command has it with AZIMUTH_PASSWORD. */
function withLogin(found: BridgedScanner, password = 'servicelevel'): BridgedScanner {
  const { url } = found.scanner;
  return { ...found, login: new BridgeLogin(async () => new Scanner({ url, user: 'Service', password })) };
}

/** Returns the nearest and the farthest range. */
function extremesOf(ranges: readonly number[]): readonly [number, number] {
  return [Math.min(...ranges), Math.max(...ranges)];
}

const topics = {
  scan: '/scan/all_points_echo0',
  multiEcho: '/scan/all_points',
  cloud: '/cloud/all_points',
  fields: '/fields',
  transforms: '/tf_static',
  log: '/log',
};

describe('a bridge for Foxglove', () => {
  it('shows what a scanner measures to the client of the protocol, which decodes all of it', async () => {
    const { url, scanner } = await bridged({ scene: 'gate' });
    const viewer = await FoxgloveViewer.open(url, 'foxglove.sdk.v1');
    expect(viewer.socket.protocol).toBe('foxglove.sdk.v1');
    await expect.poll(() => viewer.channels.has(topics.log)).toBe(true);
    for (const topic of Object.values(topics)) viewer.subscribe(topic);
    for (const topic of Object.values(topics))
      await expect.poll(() => viewer.of(topic).length, { message: topic }).toBeGreaterThan(0);
    expect(viewer.errors).toEqual([]);

    // Persons walk through the gate: only scans of about the same moment are alike.
    let [compared, isAlike] = [0, false];
    for await (const { distance, echoes, beams } of scanner.client.scans()) {
      const first = Array.from({ length: beams }, (_, beam) => (distance[beam * echoes] ?? 0) / 1000);
      const measured = extremesOf(first.filter((range) => range > 0));
      const shown = extremesOf(rangesOf(viewer.of(topics.scan).at(-1)?.message).filter(Number.isFinite));
      isAlike = measured.every((range, index) => Math.abs(range - (shown[index] ?? 0)) < 0.1);
      compared += 1;
      if (isAlike || compared === 250) break;
    }
    expect(isAlike, `${compared} scans`).toBe(true);
  });

  it('shows the fields, coloured by their state', async () => {
    const { url, scanner } = await bridged();
    await scanner.client.write('x/fields', nearField);
    const viewer = await FoxgloveViewer.open(url);
    await expect.poll(() => viewer.channels.has(topics.fields)).toBe(true);
    viewer.subscribe(topics.fields);
    const last = () => viewer.of(topics.fields).at(-1)?.message;
    await expect.poll(last).toMatchObject({
      entities: [{ frame_id: 'scanner', texts: [{ text: 'near' }], metadata: [{}, { value: 'INFRINGED' }] }],
    });
    const now: unknown = last();
    expect(now).toMatchObject({
      entities: [{ lines: [{ color: { r: 0.9 } }], triangles: [{ indices: { length: 6 } }] }],
    });
  });

  it('has all variables as parameters, sets them with a login, and tells those who follow them', async () => {
    const { found, url: readOnly } = await bridged();
    const { url } = await openBridge([withLogin(found)]);
    const [writer, follower, stranger] = await Promise.all([
      FoxgloveViewer.open(url),
      FoxgloveViewer.open(url),
      FoxgloveViewer.open(readOnly),
    ]);
    writer.client.getParameters([], 'all');
    await expect.poll(() => writer.answers.length).toBe(1);
    const all = new Map(writer.answers[0]?.parameters.map((parameter) => [parameter.name, parameter]));
    expect(all.size).toBeGreaterThan(100);
    expect([all.get('ScanDataEthSettings.Port'), all.get('CurrentTempDev')?.type]).toEqual([
      { name: 'ScanDataEthSettings.Port', value: 2115 },
      'float64',
    ]);

    follower.client.subscribeParameterUpdates(['LocationName', 'SensorPosition.x']);
    follower.client.getParameters(['LocationName'], 'first');
    await expect.poll(() => follower.answers.length).toBe(1);
    writer.client.setParameters(
      [
        { name: 'LocationName', value: 'Gate 3' },
        { name: 'SensorPosition.x', value: 120 },
        { name: 'SensorPosition.nothing', value: 1 },
        { name: 'DeviceStatus', value: 1 },
      ],
      'set',
    );
    await expect.poll(() => writer.answers.at(-1)?.id).toBe('set');
    expect(writer.answers.at(-1)?.parameters).toEqual([
      { name: 'LocationName', value: 'Gate 3' },
      { name: 'SensorPosition.x', value: 0 },
      { name: 'DeviceStatus', value: 3 },
    ]);
    expect(writer.statuses.map(({ message }) => message)).toEqual([
      'SensorPosition was not set: it has no value or no member for SensorPosition.nothing',
      expect.stringMatching(/^DeviceStatus was not set: /),
    ]);
    writer.client.setParameters([{ name: 'SensorPosition.x', value: 120 }], 'again');
    await expect
      .poll(() => follower.answers.flatMap(({ parameters }) => parameters))
      .toContainEqual({
        name: 'SensorPosition.x',
        value: 120,
      });

    stranger.client.setParameters([{ name: 'LocationName', value: 'mine' }], 'no');
    await expect
      .poll(() => stranger.statuses.map(({ message }) => message))
      .toEqual(['LocationName was not set: the bridge has no login. Start it with AZIMUTH_PASSWORD']);
  });

  it('shows a scanner that has only what real devices have', async () => {
    const { found, scanner } = await bridged({ asDevice: true, parameters: { 'x/fields': nearField } });
    const { url } = await openBridge([withLogin(found)]);
    const viewer = await FoxgloveViewer.open(url);
    await expect.poll(() => viewer.channels.has(topics.log)).toBe(true);
    for (const topic of [topics.fields, topics.log, topics.transforms]) viewer.subscribe(topic);
    viewer.client.subscribeParameterUpdates(['DeviceStatus', 'LocationName']);
    viewer.client.getParameters([], 'all');
    const answer = () => viewer.answers.find(({ id }) => id === 'all');
    await expect.poll(() => answer()?.parameters.length).toBeGreaterThan(100);
    for (const topic of [topics.fields, topics.log, topics.transforms])
      await expect.poll(() => viewer.of(topic).length, { message: topic }).toBeGreaterThan(0);
    expect(viewer.of(topics.fields)[0]?.message).toMatchObject({
      entities: [{ id: 'field 1', triangles: [{ points: { length: 4 } }] }],
    });
    await scanner.client.call('mStopMeasure');
    await expect
      .poll(() => viewer.answers.flatMap(({ parameters }) => parameters))
      .toContainEqual({ name: 'DeviceStatus', value: 4 });
    await expect
      .poll(() => viewer.of(topics.log).map(({ message }) => message))
      .toContainEqual(expect.objectContaining({ message: expect.stringContaining('Not measuring') }));
  });

  it('lets a page of an allowed origin set parameters only with --remote-writes', async () => {
    const { found } = await bridged();
    const origin = 'https://app.foxglove.dev';
    for (const remoteWrites of [false, true]) {
      const { url } = await openBridge([withLogin(found)], [], { allowedOrigins: [origin], remoteWrites });
      const page = await FoxgloveViewer.open(url, 'foxglove.sdk.v1', origin);
      page.client.setParameters([{ name: 'LocationName', value: 'mine' }], 'page');
      await expect.poll(() => page.answers.length + page.statuses.length).toBe(1);
      expect(page.answers.length, page.statuses[0]?.message).toBe(remoteWrites ? 1 : 0);
    }
  });

  it('sends the pose to a viewer that subscribes later, and not again to the others', async () => {
    const { url } = await bridged();
    const [first, later] = await Promise.all([FoxgloveViewer.open(url), FoxgloveViewer.open(url)]);
    for (const viewer of [first, later]) {
      await expect.poll(() => viewer.channels.has(topics.transforms)).toBe(true);
      for (let count = 0; count < 20; count++) viewer.subscribe(topics.transforms);
      await expect.poll(() => viewer.messages.length).toBeGreaterThan(0);
    }
    expect(first.messages.map(({ time }) => time)).toEqual([
      ...new Set(first.messages.map(({ time }) => time)),
    ]);
  });

  it('sends the pose again to a viewer that has left it and comes back at once', async () => {
    const { url } = await bridged();
    const viewer = await FoxgloveViewer.open(url);
    await expect.poll(() => viewer.channels.has(topics.transforms)).toBe(true);
    const left = viewer.subscribe(topics.transforms);
    await expect.poll(() => viewer.messages.length).toBeGreaterThan(0);
    viewer.client.unsubscribe(left);
    const before = viewer.messages.length;
    const again = BigInt(Date.now()) * 1_000_000n;
    viewer.subscribe(topics.transforms);
    await expect.poll(() => viewer.messages.length).toBeGreaterThan(before);
    // The next one is read two seconds later.
    expect(viewer.messages[before]?.time).toBeLessThanOrEqual(again);
  });

  it('shows several scanners, each by its name', async () => {
    const scanners = await Promise.all([1, 2].map(() => startScanner({ clock: 'real' })));
    onTestFinished(async () => {
      await Promise.all(scanners.map((scanner) => scanner.close()));
    });
    const names = ['hall', 'gate'];
    const { url } = await openBridge(
      scanners.map((scanner, index) => ({ ...readOnly(scanner.url), name: names[index] ?? '' })),
    );
    await scanners[1]?.client.write('LocationName', 'Gate 3');
    const viewer = await FoxgloveViewer.open(url);
    await expect.poll(() => viewer.channels.has(topics.log)).toBe(true);
    for (const topic of ['/hall/cloud/all_points', '/gate/cloud/all_points', topics.transforms])
      viewer.subscribe(topic);
    const frames = () =>
      viewer.messages.map(({ message }) =>
        JSON.stringify(message)
          .match(/"(?:child_)?frame_id":"(\w+)"/g)
          ?.at(-1),
      );
    for (const name of names) {
      await expect.poll(frames).toContain(`"frame_id":"${name}"`);
      await expect.poll(frames).toContain(`"child_frame_id":"${name}"`);
    }
    viewer.client.getParameters(['gate/LocationName', 'hall/LocationName', 'LocationName'], 'names');
    await expect
      .poll(() => viewer.answers[0]?.parameters)
      .toEqual([
        { name: 'hall/LocationName', value: 'not defined' },
        { name: 'gate/LocationName', value: 'Gate 3' },
      ]);
  });

  it('never locks the scanner with a wrong password', async () => {
    const { found, scanner } = await bridged();
    const { url } = await openBridge([withLogin(found, 'wrong')]);
    const viewer = await FoxgloveViewer.open(url);
    for (let attempt = 0; attempt < 8; attempt++)
      viewer.client.setParameters([{ name: 'LocationName', value: `${attempt}` }], `${attempt}`);
    await expect.poll(() => viewer.answers.length).toBe(8);
    expect(viewer.statuses.at(-1)?.message).toContain('is not asked again');
    await scanner.client.write('LocationName', 'still open');
  });

  it('tries a refused login once, also for the outlines of fields', async () => {
    const { found, scanner } = await bridged({ asDevice: true, parameters: { 'x/fields': nearField } });
    const login = withLogin(found, 'wrong').login;
    for (let attempt = 0; attempt < 8; attempt++)
      await expect(
        login?.use((writer) => writer.call('GetFieldEvaluationContour', { EvaluationId: 1 })),
      ).rejects.toThrow('is not asked again');
    await scanner.client.write('LocationName', 'still open');
  });

  it('lets a slow viewer lose frames, but no parameters, and disturbs nobody else', async () => {
    const { url, bridge } = await bridged();
    const viewers = await Promise.all(Array.from({ length: 20 }, () => FoxgloveViewer.open(url)));
    const [slow, ...others] = viewers;
    for (const viewer of viewers) {
      await expect.poll(() => viewer.channels.size).toBe(Object.keys(topics).length + 1);
      viewer.subscribe(topics.cloud);
      viewer.subscribe(topics.scan);
    }
    slow?.socket.pause();
    slow?.client.getParameters(['LocationName'], 'kept');
    for (const viewer of others) {
      await expect.poll(() => viewer.of(topics.cloud).length).toBeGreaterThan(5);
    }
    expect(bridge.viewers).toBe(20);
    slow?.socket.resume();
    await expect.poll(() => slow?.answers.map(({ id }) => id)).toEqual(['kept']);
    expect(slow?.errors).toEqual([]);
  });

  it('goes on after the scanner has rebooted, and says that it was away', async () => {
    const { url, scanner, lines } = await bridged();
    const viewer = await FoxgloveViewer.open(url);
    await expect.poll(() => viewer.channels.has(topics.scan)).toBe(true);
    viewer.subscribe(topics.scan);
    await expect.poll(() => viewer.of(topics.scan).length).toBeGreaterThan(0);
    await scanner.powerCycle();
    await expect.poll(() => viewer.statuses.length).toBeGreaterThan(0);
    const before = viewer.of(topics.scan).length;
    await expect.poll(() => viewer.of(topics.scan).length).toBeGreaterThan(before + 3);
    expect(viewer.removedStatuses).toEqual([...new Set(viewer.statuses.map(({ id }) => id))]);
    expect(lines.join('\n')).toContain('no scan data arrives');
  });

  it('is found again by its viewers after it was ended, as another one', async () => {
    const { url, found, bridge } = await bridged();
    const first = await FoxgloveViewer.open(url);
    await expect.poll(() => first.sessionId).toBeDefined();
    const left = once(first.socket, 'close');
    await bridge.close();
    expect((await left)[0]).toBe(1001);
    await openBridge([found], [], { port: Number(new URL(url).port) });
    const second = await FoxgloveViewer.open(url);
    await expect.poll(() => second.channels.has(topics.scan)).toBe(true);
    expect(second.sessionId).not.toBe(first.sessionId);
  });

  it('refuses pages of others, names of others and other protocols', async () => {
    const { url, lines } = await bridged({}, { allowedOrigins: ['https://app.foxglove.dev'] });
    const answerTo = (headers: Record<string, string>, subprotocol = 'foxglove.sdk.v1') =>
      new Promise<string>((resolve) => {
        const socket = new WebSocket(url, [subprotocol], { headers });
        socket.on('unexpected-response', (_, response) => resolve(`HTTP ${response.statusCode}`));
        socket.on('open', () => {
          socket.terminate();
          resolve(socket.protocol);
        });
      });
    expect([
      await answerTo({ Origin: 'https://evil.example' }),
      await answerTo({ Origin: 'null' }),
      await answerTo({ Host: 'evil.example' }),
      await answerTo({}, 'rosbridge_v2'),
      await answerTo({ Origin: 'https://app.foxglove.dev' }),
    ]).toEqual(['HTTP 403', 'HTTP 403', 'HTTP 403', 'HTTP 400', 'foxglove.sdk.v1']);
    expect(lines[0]).toContain(
      '"https://evil.example" was refused. If it is yours, start with --allowed-origin',
    );
    expect(lines[1]).toContain('without an origin');
    const plain = request(url.replace('ws:', 'http:')).end();
    const [response] = await once(plain, 'response');
    expect(response.statusCode).toBe(426);
    response.resume();
  });

  it('survives viewers that send anything at all', async () => {
    const { url, bridge } = await bridged();
    const statusesAfter = async (...messages: (string | Uint8Array)[]) => {
      const viewer = await FoxgloveViewer.open(url);
      const ended = once(viewer.socket, 'close');
      for (const message of messages) viewer.socket.send(message);
      return { viewer, ended };
    };
    const wrong = [
      'not JSON',
      '[]',
      'null',
      '{"op":"subscribe","subscriptions":[{"id":-1,"channelId":1}]}',
      '{"op":"subscribe","subscriptions":{"length":4000000000}}',
      '{"op":"advertise","channels":[{"id":1}]}',
      '{"op":"getParameters","parameterNames":[{}]}',
      `{"op":"setParameters","parameters":[{"name":"LocationName","value":${'['.repeat(9999)}${']'.repeat(9999)}}]}`,
      new Uint8Array([1, 0, 0, 0, 0]),
    ];
    const { viewer } = await statusesAfter(
      ...wrong,
      '{"op":"subscribe","subscriptions":[{"id":7,"channelId":4711}]}',
    );
    await expect.poll(() => viewer.statuses.length).toBe(wrong.length + 1);
    expect(viewer.statuses.at(-1)?.message).toContain('4711');
    const flood = await statusesAfter(...Array.from({ length: 30 }, () => new Uint8Array(1000)));
    expect((await flood.ended)[0]).toBe(1008);
    const huge = await statusesAfter(new Uint8Array(1024 * 1024 + 1));
    expect((await huge.ended)[0]).toBe(1009);
    await expect.poll(() => bridge.viewers).toBe(1);

    const crowd = Array.from({ length: 70 }, () => new WebSocket(url, ['foxglove.sdk.v1']));
    onTestFinished(() => {
      for (const socket of crowd) socket.terminate();
    });
    const refused = await Promise.all(
      crowd.map(
        (socket) =>
          new Promise<boolean>((resolve) => {
            socket.on('open', () => resolve(false));
            socket.on('error', () => resolve(true));
          }),
      ),
    );
    expect(refused.filter(Boolean).length).toBe(7);
    expect(bridge.viewers).toBe(64);
  });
});

function rangesOf(message: unknown): number[] {
  if (typeof message === 'object' && message !== null && 'ranges' in message) {
    const { ranges } = message;
    if (ranges instanceof Float32Array) return [...ranges];
  }
  throw new Error('not a LaserScan');
}

const evaluation = {
  Type: 0,
  LowerZLimit: 0,
  UpperZLimit: 0,
  MinimumObjectSize: 200,
  InfringementThreshold: 1,
  TreatMissingDataAsInfringed: false,
  OcclusionHandling: 0,
  TimeForInfringedState: 50,
  TimeForFreeState: 50,
  ReferenceLine: [],
  ObjectDistanceThreshold: 0,
  ReflectorsOnly: false,
  ContourAsReference: false,
} as const;

const group = {
  Id: 1,
  Name: '',
  Activation: { Type: 1, Inputs: [], InitiallyActive: true },
  Evaluations: [1],
} as const;

/** A field in which something is in every scene. */
const nearField = {
  evaluations: [
    {
      ...evaluation,
      Id: 1,
      Name: 'near',
      Points: [
        { x: 100, y: -5000 },
        { x: 9000, y: -5000 },
        { x: 9000, y: 5000 },
        { x: 100, y: 5000 },
      ],
    },
  ],
  groups: [group],
};
