import { TestScanner } from '@azimuth/test-support/test-scanner';
import { describe, expect, test } from 'vitest';
import { downloaded, expectRefused, expectTaken, upload } from './transfer.js';

const content = '{"ü":1}\r\n--other\r\n';
const named = 'form-data; name="datei"; filename="b.json"';

/** A part with these headers. */
function part(disposition: string, text = content, more = ''): string {
  return `Content-Disposition: ${disposition}\r\n${more}\r\n${text}`;
}

function body(...parts: readonly string[]): Buffer {
  return Buffer.from(`${parts.map((each) => `--x y\r\n${each}\r\n`).join('')}--x y--\r\n`);
}

const type = 'multipart/form-data; boundary="x y"';

describe('a multipart upload', () => {
  test.each([
    ['a file name', body(part(named))],
    ['a media type', body(part(named, content, 'Content-Type: application/json\r\n'))],
    ['no file name', body(part('form-data; name="datei"'))],
    [
      'no file name but a charset',
      body(part('form-data; name="datei"', content, 'Content-Type: text/plain; charset=utf-8\r\n')),
    ],
    ['no quotes', body(part('form-data; name=datei; filename=b'))],
    ['headers in small letters', body(part(named).replace('Content-Disposition', 'content-disposition'))],
    ['a path for a file name', body(part('form-data; name="datei"; filename="../../etc/passwd"'))],
    [
      'other parts around it',
      body(part('form-data; name="a"', 'x'), part(named), part('form-data; name="b"; filename="c"', 'y')),
    ],
    [
      'a preamble and an epilogue',
      Buffer.concat([Buffer.from('hello\r\n'), body(part(named)), Buffer.from('\r\nbye')]),
    ],
  ])('is accepted with %s', async (_, bytes) => {
    const client = (await TestScanner.start()).client();
    expectTaken(await upload(client, bytes, { 'Content-Type': type }));
    expect(await downloaded(client)).toBe(content);
  });

  test.each([
    ['no part at all', body()],
    ['no part of that name', body(part('form-data; name="file"; filename="b"'))],
    ['the name in capitals', body(part('form-data; name="Datei"; filename="b"'))],
    ['a name with a line break in it', body(part('form-data; name="datei\r\n"; filename="b"'))],
    ['an encoded line break in the name', body(part('form-data; name="datei%0D%0A"; filename="b"'))],
    ['no name', body(part('form-data; filename="datei"'))],
    ['another disposition', body(part('attachment; name="datei"'))],
    ['two parts of that name', body(part(named), part(named))],
    ['two, one of them without a file name', body(part(named), part('form-data; name="datei"'))],
    ['an empty part', body(part(named, ''))],
    ['no end', body(part(named)).subarray(0, -8)],
    ['no end within the headers of a part', Buffer.from('--x y\r\nContent-Disposition: form-data; na')],
    ['another boundary', Buffer.from(body(part(named)).toString().replaceAll('--x y', '--z'))],
    ['headers of 100 kB', body(part(named, content, `X-Long: ${'a'.repeat(100_000)}\r\n`))],
    ['broken headers', body(part(named, content, 'no colon here\r\n'))],
    [
      'seventeen parts',
      body(...Array.from({ length: 16 }, (_, n) => part(`form-data; name="p${n}"`, 'x')), part(named)),
    ],
    ['plain JSON', Buffer.from('{}')],
  ])('is HTTP 400 with %s, and the previous file stays', async (_, bytes) => {
    const client = (await TestScanner.start()).client();
    expectTaken(await upload(client, 'before'));
    const detail = expectRefused(await upload(client, bytes, { 'Content-Type': type }), 400, 1);
    expect(detail).toMatch(/expected|broken/);
    expect(await downloaded(client)).toBe('before');
  });

  test.each([
    'multipart/form-data',
    'multipart/form-data; boundary=',
    'multipart/form-data; charset=utf-8',
    'multipart/mixed; boundary="x y"',
    'Multipart/Form-Data',
  ])('is HTTP 400 with the Content-Type %s', async (wrong) => {
    const client = (await TestScanner.start()).client();
    const detail = expectRefused(await upload(client, body(part(named)), { 'Content-Type': wrong }), 400, 1);
    expect(detail).toContain('expected a multipart/form-data body with a boundary');
  });

  test('keeps every byte value, with a file name and without', async () => {
    const bytes = Buffer.from(Array.from({ length: 512 }, (_, index) => index % 256));
    for (const disposition of [named, 'form-data; name="datei"']) {
      const scanner = await TestScanner.start();
      const head = `--x y\r\nContent-Disposition: ${disposition}\r\n\r\n`;
      const whole = Buffer.concat([Buffer.from(head), bytes, Buffer.from('\r\n--x y--')]);
      expectTaken(await upload(scanner.client(), whole, { 'Content-Type': type }));
      expect(Buffer.from((await scanner.service.device.features.backups.file()) ?? [])).toEqual(bytes);
    }
  });
});
