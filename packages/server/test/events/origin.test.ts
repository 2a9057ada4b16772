import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { isForeign } from '../../src/events/origin.js';

test.each<[string | undefined, string | undefined, 'read' | 'refused']>([
  [undefined, 'gate', 'read'],
  // The scanner's own pages.
  ['http://gate', 'gate', 'read'],
  ['http://gate', 'gate:80', 'read'],
  ['http://GATE:8080', 'gate:8080', 'read'],
  ['http://gate:8080/', 'gate:8080', 'read'],
  ['https://gate', 'gate:443', 'read'],
  ['http://[fe80::1]:81', '[fe80::1]:81', 'read'],
  // Other ones.
  ['http://gate:81', 'gate', 'refused'],
  ['http://evil.example', 'gate', 'refused'],
  ['http://evil.example', 'localhost:8080', 'refused'],
  ['http://localhost.evil.example', '127.0.0.1', 'refused'],
  ['http://127.0.0.1.evil.example', '127.0.0.1', 'refused'],
  ['http://127.evil.example', '127.0.0.1', 'refused'],
  ['http://gate', undefined, 'refused'],
  ['http://gate', '', 'refused'],
  // Of the machine that the browser runs on.
  ['http://localhost:8080', '127.0.0.1:8080', 'read'],
  ['http://localhost:5173', 'localhost:8080', 'read'],
  ['https://127.0.0.1:5173', '[::1]:8080', 'read'],
  ['http://[::1]', '127.3.2.1', 'read'],
  ['http://app.localhost:3000', 'localhost', 'read'],
  ['http://localhost:8080', 'gate:8080', 'refused'],
  ['http://gate', '127.0.0.1', 'refused'],
  // None of any place.
  ['null', '127.0.0.1', 'refused'],
  ['', '127.0.0.1', 'refused'],
  ['gate', 'gate', 'refused'],
  ['gate:8080', 'gate:8080', 'refused'],
  ['localhost:8080', '127.0.0.1:8080', 'refused'],
  ['file://', '127.0.0.1', 'refused'],
])('a page of %j at %j: %s', (origin, host, outcome) => {
  const request = new IncomingMessage(new Socket());
  if (origin !== undefined) request.headers.origin = origin;
  if (host !== undefined) request.headers.host = host;
  expect(isForeign(request) ? 'refused' : 'read').toBe(outcome);
});
