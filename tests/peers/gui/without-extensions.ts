import { createServer, request } from 'node:http';
import { listening } from '@azimuth/test-support/listening';

/**
 * A scanner as real ones are, made of a virtual one: it has only `/api`. Everything else, `/x/` and the pages, is not found,
 * and no WebSocket opens.
 * @returns its URL
 */
export async function withoutExtensions(httpPort: number | null): Promise<string> {
  const server = createServer((asked, answer) => {
    if (asked.url?.startsWith('/api/') !== true) {
      answer.writeHead(404).end();
      return;
    }
    const { method, url: path, headers } = asked;
    const forwarded = request({ host: '127.0.0.1', port: httpPort, method, path, headers }, (reply) => {
      answer.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(answer);
    });
    forwarded.on('error', () => answer.destroy());
    asked.pipe(forwarded);
  });
  server.on('upgrade', (_, socket) => socket.end('HTTP/1.1 404 Not Found\r\nConnection: close\r\n\r\n'));
  return `http://127.0.0.1:${await listening(server)}`;
}
