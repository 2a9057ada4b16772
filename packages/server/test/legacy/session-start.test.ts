import { expect, onTestFinished, test, vi } from 'vitest';
import { SessionStartDetector } from '../../src/legacy/session-input.js';

test('the start of a session is not read line by line if the lines are empty: that would delay all clients', () => {
  const parts = vi.spyOn(Buffer.prototype, 'toString');
  onTestFinished(() => parts.mockRestore());
  const detector = new SessionStartDetector();
  for (const empty of ['\n', '\r\n', '\r', ' \n', '\t\r\n']) {
    expect(detector.detect(Buffer.from(empty.repeat(10_000)))).toBeUndefined();
  }
  expect(parts.mock.calls.length).toBeLessThan(10);
  expect(detector.detect(Buffer.from('POST / HTTP/1.1\r\n'))).toBe('http');
});
