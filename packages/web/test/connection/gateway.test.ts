import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Gateway } from '../../src/connection/gateway.js';

/** The local server of `azimuth gui`: it answers in turn, and notes what it was requests. */
function server(...responses: readonly (object | Error | readonly [status: number, text: string])[]) {
  const requests: string[] = [];
  vi.stubGlobal('fetch', async (url: string, { method = 'GET', body }: RequestInit = {}) => {
    const response = responses[Math.min(requests.length, responses.length - 1)];
    requests.push([method, url, ...(typeof body === 'string' ? [body] : [])].join(' '));
    if (response instanceof Error) throw response;
    if (Array.isArray(response)) return new Response(String(response[1]), { status: Number(response[0]) });
    return Response.json(response);
  });
  return { requests, gateway: new Gateway('http://here/scanners/1') };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('the local server says how scan data comes to the pages', async () => {
  const { gateway, requests } = server(
    { state: 'receiving', aimed: true, at: '127.0.0.1:2115' },
    { state: 'receiving', at: 'x' },
    { state: 'elsewhere', reason: 'no datagrams' },
    { state: 'live', more: 1 },
    { state: 'something else' },
  );
  const seen = [];
  for (let poll = 0; poll < 5; poll++) seen.push(await gateway.readState());
  expect(seen).toEqual([
    { state: 'receiving', aimed: true, at: '127.0.0.1:2115' },
    { state: 'receiving', aimed: false, at: 'x' },
    { state: 'elsewhere', reason: 'no datagrams' },
    { state: 'live' },
    { state: 'idle' },
  ]);
  expect(new Set(requests)).toEqual(new Set(['GET http://here/scanners/1/data']));
});

test('the scanner is aimed here with a login, and restored; a refusal says why', async () => {
  const login = { user: 'Service', password: 'x' };
  const { gateway, requests } = server(
    { state: 'idle' },
    { state: 'idle' },
    [403, ''],
    [409, 'no address\n'],
  );
  await gateway.aim(login);
  await gateway.restore();
  await expect(gateway.aim(login)).rejects.toThrow('does not accept this password');
  await expect(gateway.restore()).rejects.toThrow(/^no address$/);
  expect(requests.slice(0, 2)).toEqual([
    'POST http://here/scanners/1/data {"user":"Service","password":"x"}',
    'DELETE http://here/scanners/1/data',
  ]);
});

test('a scanner is reached at another address only if it answers there', async () => {
  const { gateway, requests } = server({}, [404, ''], new TypeError('the server is gone'));
  const moved = [];
  for (let time = 0; time < 3; time++) moved.push(await gateway.moveTo('http://10.0.0.5:80', '230001'));
  expect(moved).toEqual([true, false, false]);
  expect(requests[0]).toBe(
    'POST http://here/scanners/1/address {"address":"10.0.0.5","serialNumber":"230001"}',
  );
});

test('a page looks every four seconds, keeps what it knows, and looks no more at a scanner with live scans', async () => {
  const idle = { state: 'idle' };
  const { gateway, requests } = server(idle, new TypeError('gone'), { state: 'live' });
  expect(gateway.state.value).toBeUndefined();
  gateway.polling.open();
  await vi.advanceTimersByTimeAsync(0);
  expect([gateway.state.value, requests.length]).toEqual([idle, 1]);
  await vi.advanceTimersByTimeAsync(3999);
  expect(requests).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1);
  expect([gateway.state.value, requests.length]).toEqual([idle, 2]);
  await vi.advanceTimersByTimeAsync(4000);
  expect(gateway.state.value).toEqual({ state: 'live' });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(requests).toHaveLength(3);
});

test('a page that is closed looks no more, and takes no answer that comes too late', async () => {
  const { gateway, requests } = server({ state: 'idle' });
  gateway.polling.open();
  gateway.polling.close();
  await vi.advanceTimersByTimeAsync(60_000);
  expect([gateway.state.value, requests.length, vi.getTimerCount()]).toEqual([undefined, 1, 0]);
  await gateway.aim({ user: 'Service', password: 'x' });
  expect(gateway.state.value).toEqual({ state: 'idle' });
});
