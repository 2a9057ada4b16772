import { AnswerError, UnreachableError } from '@azimuth/client';
import { describe, expect, test } from 'vitest';
import { whyUnreachable } from '../../src/doctor/unreachable.js';

const url = 'http://10.0.0.1';
const home = [{ address: '192.168.0.50', mask: '255.255.255.0' }];
const texts = (...args: Parameters<typeof whyUnreachable>) => whyUnreachable(...args).map(({ text }) => text);

describe('a scanner that does not answer', () => {
  test('in another network', () => {
    expect(texts(new UnreachableError(url, 'no answer', undefined), url, home, [])).toEqual([
      'nothing answers at 10.0.0.1',
      '10.0.0.1 is in no network of this computer (192.168.0.0/24)',
      'no scanner answers the device search',
    ]);
  });

  test('although its computer does, and others were found', () => {
    const refused = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
    const near = [{ mac: '00:06:77:00:00:01', address: '192.168.0.9', url: 'http://192.168.0.9' }];
    expect(
      texts(new UnreachableError('http://192.168.0.1', 'x', refused), 'http://192.168.0.1', home, near),
    ).toEqual([
      'a computer answers at 192.168.0.1, and no web server runs there',
      'the device search found scanners: http://192.168.0.9',
    ]);
  });

  test('at this computer', () => {
    const refused = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
    const here = 'http://192.168.0.50:8080';
    expect(texts(new UnreachableError(here, 'x', refused), here, home, undefined)).toEqual([
      'nothing runs at 192.168.0.50:8080, which is this computer',
    ]);
  });

  test.each(['127.0.3.4', 'localhost', '[::1]', '[::ffff:127.0.0.1]'])('at %s is this computer', (host) => {
    const refused = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
    const here = `http://${host}:8080`;
    expect(texts(new UnreachableError(here, 'x', refused), here, home, undefined)).toEqual([
      `nothing runs at ${new URL(here).host}, which is this computer`,
    ]);
  });

  test('because something else does', () => {
    expect(texts(new AnswerError(url, 'DeviceIdent', 'HTML'), 'http://192.168.0.1', home, undefined)).toEqual(
      ['what answers at 192.168.0.1 is not a scanner'],
    );
  });
});
