import { faultKinds, isFaultKind, membersOf } from '@azimuth/model/faults';
import { expect, test } from 'vitest';
import { faultOf, faultRowsIn, hintOf } from '../../src/simulation/fault-draft.js';

test('a draft becomes a fault: what is empty has its default', () => {
  expect(faultOf('http-reset', { handled: 'true', endpoint: ' LocationName ', every: '3', at: '' })).toEqual({
    fault: { kind: 'http-reset', handled: true, endpoint: 'LocationName', every: 3 },
  });
  expect(faultOf('device-status', { status: '6' })).toEqual({ fault: { kind: 'device-status', status: 6 } });
});

test('a draft with a mistake says what is expected', () => {
  expect(faultOf('http-latency', { latency: 'x' })).toEqual({
    wrong: 'latency: a number of ms 0 to 60000, not "x"',
  });
});

test('every kind can be added as it is, and every member has a hint', () => {
  for (const kind of Object.keys(faultKinds).filter(isFaultKind)) {
    expect(faultOf(kind, {})).toEqual({ fault: { kind } });
    for (const member of Object.values(membersOf(kind))) expect(hintOf(member)).toMatch(/.{10}/);
  }
});

test('the answer of the control port becomes rows; anything else becomes none', () => {
  const fault = { kind: 'stream-loss', probability: 0.05, stream: 'scan' };
  expect(faultRowsIn({ faults: [{ id: 3, state: 'active', occasions: 9, times: 2, fault }] })).toEqual([
    {
      id: 3,
      kind: 'stream-loss',
      state: 'active',
      occasions: 9,
      times: 2,
      members: 'probability 0.05, stream scan',
    },
  ]);
  expect(faultRowsIn({})).toEqual([]);
});
