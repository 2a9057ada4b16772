import { virtualIdentity } from '@azimuth/device';
import { expect, test } from 'vitest';
import { cloneReadme } from '../src/clone/twin.js';

test('the README of a twin has nothing of its scanner that a terminal obeys, or that turns its lines around', () => {
  const hostile = '1\u202e\u009b2J';
  const readme = cloneReadme({
    url: 'http://192.0.2.1',
    serial: hostile,
    version: hostile,
    twin: { identity: virtualIdentity('7'), unlike: [{ name: 'LocationName', reason: hostile }] },
    command: 'azimuth serve --data twin',
    ...{ hasFields: true, hasRecording: false, at: new Date(0) },
  });
  expect(readme).not.toMatch(/[\u0080-\u009f\u202e]/);
  expect(readme.split('1\\u202e\\u009b2J')).toHaveLength(5);
});
