import { createServer, type Server } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { ResponseReader } from '../../bench/src/load/connection.js';
import { getLoad } from '../../bench/src/load/http-load.js';
import { Latencies } from '../../bench/src/load/latencies.js';

function readerInto(bodies: string[]): ResponseReader {
  return new ResponseReader((body) => bodies.push(body));
}

const response = (body: string, length = body.length) =>
  `HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: ${length}\r\n\r\n${body}`;

describe('the reader of replies', () => {
  it('takes a reply apart that comes byte by byte', () => {
    const bodies: string[] = [];
    const reader = readerInto(bodies);
    for (const byte of response('one')) reader.push(byte);
    expect(bodies).toEqual(['one']);
  });

  it('takes several replies at once, and the rest of the last one later', () => {
    const bodies: string[] = [];
    const reader = readerInto(bodies);
    const last = response('three');
    reader.push(response('one') + response('') + last.slice(0, -2));
    expect(bodies).toEqual(['one', '']);
    reader.push(last.slice(-2));
    expect(bodies).toEqual(['one', '', 'three']);
  });

  it('refuses everything but 200', () => {
    const reader = readerInto([]);
    expect(() => reader.push(response('no').replace('200 OK', '503 Service Unavailable'))).toThrow(
      'not 200: HTTP/1.1 503 Service Unavailable',
    );
  });

  it('refuses a reply that does not tell its length', () => {
    expect(() => readerInto([]).push('HTTP/1.1 200 OK\r\nDate: now\r\n\r\n')).toThrow('Content-Length');
  });
});

describe('latencies', () => {
  it('tell which time a share of them does not exceed', () => {
    const latencies = new Latencies();
    for (let milliseconds = 1; milliseconds <= 100; milliseconds++) latencies.add(milliseconds);
    latencies.add(86_400_000);
    expect(latencies.total).toBe(101);
    expect(latencies.quantile(0.5)).toBe(51);
    expect(latencies.quantile(0.99)).toBe(100);
    expect(latencies.quantile(1)).toBe(1000);
  });

  it('tell nothing where there are none', () => {
    expect(new Latencies().quantile(0.5)).toBeNaN();
  });
});

describe('the load of reads', () => {
  let server: Server | undefined;

  afterEach(() => {
    server?.close();
    server?.closeAllConnections();
  });

  async function loadOn(body: string) {
    const port = await new Promise<number>((resolve) => {
      const opened = createServer((_request, response) => {
        response.writeHead(200, { 'Content-Length': body.length });
        response.end(body);
      }).listen(0, '127.0.0.1', () => {
        const address = opened.address();
        resolve(typeof address === 'object' && address !== null ? address.port : 0);
      });
      server = opened;
    });
    const extent = { connections: 3, warmup: 0.02, seconds: 0.1 };
    return getLoad({ kind: 'get', port, pid: process.pid, paths: ['/'], body: 'as expected', ...extent });
  }

  it('counts what is answered', async () => {
    const result = await loadOn('as expected');
    expect(result.operations).toBeGreaterThan(0);
    expect(result.seconds).toBeGreaterThanOrEqual(0.09);
    expect(result.p50).toBeLessThanOrEqual(result.p99);
  });

  it('ends with an error at another body', async () => {
    await expect(loadOn('as feared')).rejects.toThrow('another body than expected: as feared');
  });
});
