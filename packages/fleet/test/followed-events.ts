import { isObject } from '@azimuth/model';
import { until } from '@azimuth/test-support/waiting';
import { expect, onTestFinished } from 'vitest';

/** Follows the events of a fleet, until the test ends. */
export async function follow({ url }: { readonly url: string }, query = '') {
  const abort = new AbortController();
  const response = await fetch(`${url}/fleet/events${query}`, { signal: abort.signal });
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  let text = '';
  const reading = (async () => {
    if (response.body === null) throw new Error('there is a body');
    for await (const piece of response.body) text += Buffer.from(piece).toString();
  })().catch(() => undefined);
  const end = async () => {
    abort.abort();
    await reading;
  };
  onTestFinished(end);
  const all = () =>
    text
      .split('\n\n')
      .slice(0, -1)
      // Other lines only show that the connection is alive.
      .filter((one) => one !== ':')
      .map((one): unknown => JSON.parse(one.replace('data: ', '')))
      .filter(isObject);
  /** Waits for this many events, and returns them without their times. */
  const next = async (count: number) => {
    await until(() => all().length >= count);
    return all().map(({ time, ...event }) => {
      expect(time).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
      return event;
    });
  };
  return { all, next, end };
}
