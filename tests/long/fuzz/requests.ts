/** The bytes of requests, as a client that behaves would send them. */

export function get(path: string): Buffer {
  return Buffer.from(`GET ${path} HTTP/1.1\r\nHost: scanner\r\n\r\n`);
}

export function post(name: string, body: string | Buffer, headers: readonly string[] = []): Buffer {
  return withBody('POST', `/api/${name}`, body, headers);
}

/** Any verb and path, with a body whose length is told. */
export function withBody(
  verb: string,
  path: string,
  body: string | Buffer,
  headers: readonly string[] = [],
): Buffer {
  const content = Buffer.from(body);
  const head = [`${verb} ${path} HTTP/1.1`, 'Host: scanner', `Content-Length: ${content.length}`, ...headers];
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'latin1'), content]);
}

/** The same with a body in chunks that end at these places, and what HTTP allows between and after them. */
export function postInChunks(name: string, body: Buffer, ends: readonly number[], extension = ''): Buffer {
  return inChunks('POST', `/api/${name}`, body, ends, { extension });
}

/** The same with any verb and path. */
export function inChunks(
  verb: string,
  path: string,
  body: Buffer,
  ends: readonly number[],
  { extension = '', headers = [] }: { extension?: string; headers?: readonly string[] } = {},
): Buffer {
  const lines = [
    `${verb} ${path} HTTP/1.1`,
    'Host: scanner',
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
