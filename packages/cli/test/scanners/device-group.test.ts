import { expect, test } from 'vitest';
import { groupOf } from '../../src/scanners/device-group.js';

const groups = new Map([
  ['night', ['hall/gate3', 'gate5']],
  ['day', ['hall/gate3']],
]);

test.each([
  ['hall/gate3', 'http://192.168.0.3', 'night'],
  ['gate5', 'http://192.168.0.5', 'night'],
  ['hall/north/gate4', 'http://192.168.0.4', 'hall/north'],
  ['gate6', 'http://192.168.0.6', ''],
  ['192.168.0.7', 'http://192.168.0.7', ''],
  ['http://127.0.0.1:8000/scanners/10000001', 'http://127.0.0.1:8000/scanners/10000001', ''],
  ['127.0.0.1:8000/scanners/10000001/', 'http://127.0.0.1:8000/scanners/10000001', ''],
])('%s at %s is in the group "%s"', (label, url, group) => {
  expect(groupOf({ label, url }, groups)).toBe(group);
});
