import { describe, expect, test } from 'vitest';
import { allEndpoints, type Endpoint, extensionsOf, largestBody, type Shape } from '../src/index.js';

const writable: readonly Endpoint[] = [
  ...allEndpoints,
  ...extensionsOf({ release: '2.4.4', variant: 'full' }).values(),
].filter((endpoint) => endpoint.kind === 'method' || endpoint.facts.write !== undefined);

/** Returns the largest value that a type allows, of letters that JSON escapes. */
function largest(shape: Shape): unknown {
  switch (shape.kind) {
    case 'boolean':
      return false;
    case 'integer':
      return shape.minimum;
    case 'enumeration':
      return Math.max(...Object.values(shape.values));
    case 'float':
      return -1.2345678901234e-300;
    case 'levelName':
      return 'AuthorizedClient';
    case 'string':
      return '😀'.repeat(shape.maxLength);
    case 'address':
      return Array.from({ length: shape.length }, () => 255);
    case 'array':
      return Array.from({ length: shape.maxItems }, () => largest(shape.of));
    case 'struct':
      return Object.fromEntries(
        Object.entries(shape.members).map(([name, { shape: of }]) => [name, largest(of)]),
      );
  }
}

const header = {
  user: 'AuthorizedClient',
  realm: 'r'.repeat(64),
  nonce: 'n'.repeat(64),
  opaque: 'o'.repeat(64),
  response: 'f'.repeat(64),
};

function bodyFor(endpoint: Endpoint): object {
  const data =
    endpoint.kind === 'variable'
      ? { [endpoint.name]: largest(endpoint.type.shape) }
      : largest(endpoint.request.shape);
  return { header, data };
}

/** Replaces every character beyond ASCII by its escapes. */
function escaped(json: string): string {
  return json.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

describe.each(writable.map((endpoint) => [endpoint.name, endpoint] as const))('%s', (_, endpoint) => {
  test('has room for its largest value, as clients write it', () => {
    const { bytes } = endpoint.bodyBounds;
    const body = bodyFor(endpoint);
    expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThanOrEqual(bytes);
    expect(Buffer.byteLength(JSON.stringify(body, undefined, 4))).toBeLessThanOrEqual(bytes);
    if (bytes === largestBody) return;
    expect(escaped(JSON.stringify(body, undefined, 8)).replaceAll('\n', '\r\n').length).toBeLessThanOrEqual(
      bytes,
    );
  });

  test('may be as deep as its value, and two deeper', () => {
    const depthOf = (json: unknown): number =>
      typeof json === 'object' && json !== null ? 1 + Math.max(0, ...Object.values(json).map(depthOf)) : 0;
    expect(endpoint.bodyBounds.depth).toBe(depthOf(bodyFor(endpoint)) + 2);
  });
});

test('a body limit is small for small values, and never above 1 MiB', () => {
  const bytesOf = (name: string) => {
    const endpoint = writable.find((one) => one.name === name);
    return endpoint === undefined ? Number.NaN : endpoint.bodyBounds.bytes;
  };
  expect(bytesOf('getChallenge')).toBeLessThan(1600);
  expect(bytesOf('WriteEeprom')).toBeLessThan(1100);
  expect(bytesOf('LocationName')).toBeLessThan(1600);
  expect(bytesOf('changePassword')).toBeLessThan(8 * 1024);
  expect(bytesOf('fields')).toBe(largestBody);
  for (const endpoint of writable) expect(endpoint.bodyBounds.bytes).toBeLessThanOrEqual(largestBody);
});
