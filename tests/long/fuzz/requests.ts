/** The bytes of well-formed requests. */

export function get(path: string): Buffer {
  return Buffer.from(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
}

export function post(name: string, body: string | Buffer, headers: readonly string[] = []): Buffer {
  return withBody('POST', `/api/${name}`, body, headers);
}

/** Any verb and path, with a body and its Content-Length. */
export function withBody(
  verb: string,
  path: string,
  body: string | Buffer,
  headers: readonly string[] = [],
): Buffer {
  const content = Buffer.from(body);
  const head = [
    `${verb} ${path} HTTP/1.1`,
    'Host: localhost',
    `Content-Length: ${content.length}`,
    ...headers,
  ];
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'latin1'), content]);
}

/** A POST whose body comes in chunks that end at these places. */
export function postInChunks(name: string, body: Buffer, ends: readonly number[], extension = ''): Buffer {
  return inChunks('POST', `/api/${name}`, body, ends, { extension });
}

/** Any verb and path, with a body in chunks. */
export function inChunks(
  verb: string,
  path: string,
  body: Buffer,
  ends: readonly number[],
  { extension = '', headers = [] }: { extension?: string; headers?: readonly string[] } = {},
): Buffer {
  const lines = [
    `${verb} ${path} HTTP/1.1`,
    'Host: localhost',
    'Transfer-Encoding: chunked',
    ...headers,
    '',
    '',
  ];
  const head = lines.join('\r\n');
  const places = [...new Set([...ends, body.length])].filter((end) => end > 0).toSorted((a, b) => a - b);
  const chunks = places.map((end, index) => {
    const chunk = body.subarray(places[index - 1] ?? 0, end);
    return Buffer.concat([
      Buffer.from(`${chunk.length.toString(16)}${extension}\r\n`),
      chunk,
      Buffer.from('\r\n'),
    ]);
  });
  return Buffer.concat([Buffer.from(head, 'latin1'), ...chunks, Buffer.from('0\r\n\r\n')]);
}
