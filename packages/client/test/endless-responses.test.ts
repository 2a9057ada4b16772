import { createServer, type RequestListener } from 'node:http';
import { createGzip } from 'node:zlib';
import { listening } from '@azimuth/test-support/listening';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { IdleTimeout } from '../src/connection.js';
import { AnswerError, Scanner } from '../src/index.js';
import { maxTransferMs } from '../src/limits.js';

const piece = Buffer.alloc(64 * 1024, ' ');

let answer: RequestListener;
let url: string;
/** Number of sent bytes, and state of the connections. */
let sent: number;
let ended: Promise<void>[];

beforeEach(async () => {
  sent = 0;
  ended = [];
  const server = createServer((request, response) => {
    ended.push(new Promise((resolve) => response.once('close', resolve)));
    answer(request, response);
  });
  url = `http://127.0.0.1:${await listening(server)}`;
});

/** Sends without end, as fast as the client reads. */
const endless: RequestListener = (request, response) => {
  request.resume();
  const send = () => {
    while (!response.destroyed) {
      sent += piece.length;
      if (!response.write(piece)) break;
    }
  };
  response.on('drain', send);
  send();
};

/** A small body that becomes large: a gibibyte of blanks is a mebibyte of gzip. */
const endlessWhenUnpacked: RequestListener = (request, response) => {
  request.resume();
  response.setHeader('Content-Encoding', 'gzip');
  const gzip = createGzip();
  gzip.pipe(response);
  response.once('close', () => gzip.destroy());
  const send = () => {
    while (!response.destroyed && !gzip.destroyed) {
      sent += piece.length;
      if (!gzip.write(piece)) break;
    }
  };
  gzip.on('drain', send);
  send();
};

const viaFetch = (url: string) => new Scanner({ url, fetch: (target, init) => fetch(target, init) });

describe.each([
  ['over node:http', () => new Scanner({ url })],
  ['over fetch', () => viaFetch(url)],
])('an answer without end %s', (_way, scannerAt) => {
  test('is refused behind 8 MiB, and its connection ends', async () => {
    answer = endless;
    const reading = scannerAt().read('LocationName');
    await expect(reading).rejects.toThrow(new AnswerError(url, 'LocationName', 'more than 8 MiB'));
    await Promise.all(ended);
    expect(sent).toBeLessThan(32 * 1024 * 1024);
  });
});

test('an answer that grows without end when it is unpacked is refused behind 8 MiB', async () => {
  answer = endlessWhenUnpacked;
  await expect(viaFetch(url).read('LocationName')).rejects.toThrow(/answered more than 8 MiB/);
  await Promise.all(ended);
  expect(sent).toBeLessThan(128 * 1024 * 1024);
});

describe('a file without end', () => {
  /** Has all responses except the file. */
  function scannerWith(file: RequestListener): RequestListener {
    return (request, response) => {
      if (request.method === 'GET' && request.url === '/api/parameterbackup') return file(request, response);
      request.resume();
      const status = request.url === '/api/CreateParameterBackup' ? 0 : 5;
      const isChallenge = request.url === '/api/getChallenge';
      response.end(
        JSON.stringify({
          header: { status: isChallenge ? 0 : status, message: 'Ok' },
          data: { Result: true },
          challenge: { realm: 'r', nonce: 'n', opaque: 'o', salt: [] },
        }),
      );
    };
  }

  test.each([
    ['as it is', endless],
    ['unpacked', endlessWhenUnpacked],
  ])('is refused behind its limit, %s', async (_form, file) => {
    answer = scannerWith(file);
    const scanner = new Scanner({ url, password: 'servicelevel' });
    await expect(scanner.backup()).rejects.toThrow(`parameterbackup: ${url} answered more than 16 MiB`);
    await Promise.all(ended);
    expect(sent).toBeLessThan(128 * 1024 * 1024);
  });

  test('in place of an answer to an upload is refused behind 1 MiB', async () => {
    const others = scannerWith(endless);
    answer = (request, response) =>
      request.method === 'PUT' ? endless(request, response) : others(request, response);
    const restoring = new Scanner({ url, password: 'servicelevel' }).restore(Buffer.from('{}'));
    await expect(restoring).rejects.toThrow(`parameterbackup: ${url} answered more than 1 MiB`);
    await Promise.all(ended);
  });

  test('is asked for without compression', async () => {
    let asked: string | undefined;
    answer = scannerWith((request, response) => {
      asked = request.headers['accept-encoding'];
      response.end('{}');
    });
    await new Scanner({ url, password: 'servicelevel' }).backup();
    expect(asked).toBe('identity');
  });

  test('that moves a little now and then ends after hours', () => {
    vi.useFakeTimers();
    try {
      const timeout = new IdleTimeout(60_000);
      for (let passed = 30_000; passed < maxTransferMs; passed += 30_000) {
        vi.advanceTimersByTime(30_000);
        timeout.restart();
      }
      expect(timeout.signal.aborted).toBe(false);
      vi.advanceTimersByTime(30_000);
      expect(timeout.signal.reason).toMatchObject({ message: 'the file was not whole within 4 hours' });
      timeout.stop();
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });
});

test('a redirect is refused, and nothing is asked where it leads', async () => {
  let asked = 0;
  answer = (request, response) => {
    request.resume();
    asked++;
    response.writeHead(302, { Location: `${url}/api/OrderNumber` }).end();
  };
  await expect(new Scanner({ url }).read('LocationName')).rejects.toThrow(/unexpected redirect/);
  await expect(viaFetch(url).read('LocationName')).rejects.toThrow(/cannot be reached/);
  expect(asked).toBe(2);
});
