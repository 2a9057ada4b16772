import { openAsBlob } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { FakeDevice, type FileTransfer } from '@azimuth/test-support/fake-device';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Scanner, type Source } from '../../src/index.js';

let device: FakeDevice;
let transfers: FileTransfer[];
let state: (() => void)[];

/** Moves the scanner one step on in each pause of the client. */
function scannerWith(fetchOf: (url: string, init: RequestInit) => Promise<Response> = fetch): Scanner {
  return new Scanner({
    url: device.url,
    password: 'servicelevel',
    fetch: fetchOf,
    pause: async () => state.shift()?.(),
  });
}

beforeEach(async () => {
  device = await FakeDevice.start();
  transfers = [];
  state = [];
  device.values.set('DeviceIdent', { Name: 'picoScan', Version: '2.3.3.0R' });
  device.values.set('DeviceStatus', 3);
  device.values.set('UpdateState', 0);
  device.responses.set('CreateSessionToken', { token: 'the-token', timeToLive: 60 });
  device.files.set('update', (transfer) => {
    transfers.push(transfer);
    return { body: '' };
  });
});
afterEach(() => device.stop());

const size = 300_000;

/** Firmware in pieces. */
function source(): Source {
  return {
    size,
    stream: () =>
      new ReadableStream({
        start(controller) {
          for (let at = 0; at < size; at += 100_000) controller.enqueue(new Uint8Array(100_000).fill(7));
          controller.close();
        },
      }),
  };
}

const becomes = (value: number) => () => device.values.set('UpdateState', value);

function rebootsTo(version: string): void {
  device.values.set('UpdateState', 0);
  device.values.set('DeviceIdent', { Name: 'picoScan', Version: version });
}

test('streams the file with its length and a token, follows the state, waits and reports the versions', async () => {
  state = [becomes(1), becomes(1), becomes(2), () => rebootsTo('2.4.4.0R')];
  const progress: unknown[] = [];
  const stages: string[] = [];
  const updated = await scannerWith().update(source(), {
    version: '2.4.4.0R',
    onProgress: (bytes, total) => progress.push([bytes, total]),
    onStage: (stage) => stages.push(stage),
  });
  expect(updated).toEqual({ from: '2.3.3.0R', to: '2.4.4.0R' });
  expect(stages).toEqual(['sending', 'installing', 'rebooting']);
  expect(progress[0]).toEqual([0, size]);
  expect(progress).toContainEqual([200_000, size]);
  expect(progress.at(-1)).toEqual([size, size]);
  const [sent] = transfers;
  if (sent === undefined) throw new Error('nothing was sent');
  const { method, headers, body } = sent;
  expect([method, headers['x-session-token'], headers['content-type']]).toEqual([
    'PUT',
    'the-token',
    'application/octet-stream',
  ]);
  expect(headers['content-length']).toBe(String(size));
  expect(headers).not.toHaveProperty('transfer-encoding');
  expect(body.equals(Buffer.alloc(size, 7))).toBe(true);
  expect(device.requests.indexOf('RunFirmwareUpdate')).toBeGreaterThan(device.requests.indexOf('update'));
});

test('takes a Blob, as browsers have it', async () => {
  state = [becomes(2), () => rebootsTo('2.4.4.0R')];
  const file = fileURLToPath(import.meta.url);
  const blob = await openAsBlob(file);
  await scannerWith().update(blob);
  expect(transfers[0]?.body.length).toBe(blob.size);
});

test('sends the whole file once more after HTTP 403', async () => {
  state = [becomes(2), () => rebootsTo('2.4.4.0R')];
  device.files.set('update', (transfer) => {
    transfers.push(transfer);
    return transfers.length === 1 ? { http: 403, body: '{}' } : { body: '' };
  });
  await scannerWith().update(source());
  expect(transfers.map(({ body }) => body.length)).toEqual([size, size]);
});

test('is over if the scanner was down and up again between two requests', async () => {
  state = [becomes(1), () => rebootsTo('2.4.4.0R')];
  expect(await scannerWith().update(source())).toMatchObject({ to: '2.4.4.0R' });
});

test('waits while nothing answers', async () => {
  let away = false;
  state = [
    becomes(1),
    () => {
      away = true;
    },
    () => undefined,
    () => {
      away = false;
      rebootsTo('2.4.4.0R');
    },
  ];
  const scanner = scannerWith((url, init) => {
    if (away) throw new TypeError('refused');
    return fetch(url, init);
  });
  expect(await scanner.update(source())).toMatchObject({ to: '2.4.4.0R' });
});

test.each([
  ['refuses connections', undefined],
  [
    'is behind a server that answers 502',
    { status: 502, text: 'http://scanner does not answer: ECONNREFUSED' },
  ],
  ['is behind a server that answers 504', { status: 504, text: '' }],
])('is followed through the reboot while the scanner %s', async (_, answer) => {
  let away = false;
  const goes = (now: boolean) => () => {
    away = now;
  };
  state = [
    becomes(1),
    goes(true),
    () => undefined,
    () => undefined,
    () => {
      away = false;
      rebootsTo('2.4.4.0R');
    },
    // Once more: the scanner boots, and the versions must not come from a server on the way.
    goes(true),
    goes(false),
  ];
  const scanner = scannerWith(async (url, init) => {
    if (!away) return fetch(url, init);
    if (answer === undefined) throw new TypeError('refused');
    return new Response(answer.text, { status: answer.status, headers: { 'Content-Type': 'text/plain' } });
  });
  expect(await scanner.update(source())).toEqual({ from: '2.3.3.0R', to: '2.4.4.0R' });
});

test('that the scanner refuses is an error', async () => {
  state = [becomes(1), becomes(3)];
  await expect(scannerWith().update(source())).rejects.toThrow(
    'RunFirmwareUpdate: refused (UpdateState Error) – the scanner does not accept this file; from release 2.2.0 on it has to be signed (.spk.signed)',
  );
});

test('that the scanner refuses for a reason that it tells, is an error with this reason', async () => {
  state = [becomes(1), becomes(3)];
  device.prepare('/x/firmware', { data: { firmware: { Fault: '2.3.1 is older than the running release' } } });
  await expect(scannerWith().update(source())).rejects.toThrow(
    'RunFirmwareUpdate: refused (UpdateState Error) – 2.3.1 is older than the running release',
  );
});

test('that never begins is given up after a minute', async () => {
  await expect(scannerWith().update(source())).rejects.toThrow('UpdateState Initial');
});

test('to another version than expected is an error', async () => {
  state = [becomes(2), () => rebootsTo('2.3.3.0R')];
  await expect(scannerWith().update(source(), { version: '2.4.4.0R' })).rejects.toThrow(
    'RunFirmwareUpdate: the scanner runs 2.3.3.0R now, and not 2.4.4.0R',
  );
});

test('over a connection that breaks is an error that does not contain the token', async () => {
  const scanner = scannerWith((url, init) => {
    if (url.endsWith('/api/update')) throw new TypeError('broken');
    return fetch(url, init);
  });
  await expect(scanner.update(source())).rejects.toMatchObject({
    name: 'UnreachableError',
    message: `${device.url} cannot be reached: broken`,
  });
});

/** Power fails while the scanner installs; then it runs this version. */
function losesPower(version: string): void {
  device.values.set('PowerOnCnt', 7);
  state = [
    becomes(1),
    () => {
      device.values.set('PowerOnCnt', 8);
      rebootsTo(version);
    },
  ];
}

describe('a scanner that is back with the same version', () => {
  const lost =
    'the scanner lost power during the update, and runs 2.3.3.0R as before: install the file again';

  test('and was switched on meanwhile has lost its power', async () => {
    losesPower('2.3.3.0R');
    await expect(scannerWith().update(source())).rejects.toMatchObject({
      name: 'NotDoneError',
      outcome: 'PowerOnCnt 8 after 7',
      message: `RunFirmwareUpdate: ${lost}`,
    });
  });

  test('and was switched on meanwhile has lost its power, also if the file has this version', async () => {
    losesPower('2.3.3.0R');
    await expect(scannerWith().update(source(), { release: '2.3.3' })).rejects.toThrow(lost);
  });

  test('and has not finished is a failure, also if it does not count its power-ons', async () => {
    state = [becomes(1), () => rebootsTo('2.3.3.0R')];
    await expect(scannerWith().update(source())).rejects.toThrow(
      'the scanner is back with 2.3.3.0R as before, and has not said that it has finished',
    );
  });

  test('and has finished was given the same version again', async () => {
    state = [becomes(1), becomes(2), () => rebootsTo('2.3.3.0R')];
    expect(await scannerWith().update(source())).toEqual({ from: '2.3.3.0R', to: '2.3.3.0R' });
  });

  test.each([{ release: '2.3.3' }, { version: '2.3.3.0R' }])(
    'as %j says, was given it again',
    async (wanted) => {
      state = [becomes(1), () => rebootsTo('2.3.3.0R')];
      expect(await scannerWith().update(source(), wanted)).toMatchObject({ to: '2.3.3.0R' });
    },
  );

  test('and not with that of the file has not installed it, also if it has finished', async () => {
    state = [becomes(1), becomes(2), () => rebootsTo('2.3.3.0R')];
    await expect(scannerWith().update(source(), { release: '2.4.4' })).rejects.toThrow(
      'the scanner runs 2.3.3.0R now, and not 2.4.4',
    );
  });
});

test('a power cut after the new version was installed costs nothing', async () => {
  losesPower('2.4.4.0R');
  expect(await scannerWith().update(source(), { release: '2.4.4' })).toMatchObject({ to: '2.4.4.0R' });
});

describe('the progress of an installation', () => {
  const shows = (Progress: number) => () => {
    device.values.set('UpdateState', 1);
    device.prepare('/x/firmware', { data: { firmware: { Fault: '', Progress } } });
  };

  test('is reported whenever it has changed, and the failure of the installer at the end', async () => {
    const percents: number[] = [];
    state = [shows(0), shows(40), shows(40), shows(75), becomes(3)];
    const updated = scannerWith().update(source(), {
      onInstallProgress: (percent) => percents.push(percent),
    });
    await expect(updated).rejects.toThrow('UpdateState Error');
    expect(percents).toEqual([40, 75]);
  });

  test('is asked for once if the scanner does not report it', async () => {
    const percents: number[] = [];
    state = [becomes(1), becomes(1), becomes(1), becomes(2), () => rebootsTo('2.4.4.0R')];
    await scannerWith().update(source(), { onInstallProgress: (percent) => percents.push(percent) });
    expect(percents).toEqual([]);
    expect(device.requests.filter((name) => name.endsWith('firmware'))).toHaveLength(1);
  });

  test('is not asked for if nobody wants it', async () => {
    state = [becomes(1), becomes(2), () => rebootsTo('2.4.4.0R')];
    await scannerWith().update(source());
    expect(device.requests.filter((name) => name.endsWith('firmware'))).toEqual([]);
  });
});
