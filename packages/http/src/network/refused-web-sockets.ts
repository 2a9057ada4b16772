import { Writable } from 'node:stream';

/**
 * Makes a WebSocket of the library `ws` drop what its other end sends after a violation of the protocol. Call it as soon as
 * the WebSocket is open, if it has compression.
 *
 * While a message is decompressed, later bytes wait in the parser. Node then hands over all that waits, even if the first of
 * it is refused. The parser of `ws` (8.23) would go on in the middle of the refused frame, and throw in a callback of zlib,
 * where nobody catches it.
 */
export function dropAfterViolation(webSocket: object): void {
  const parser: unknown = Reflect.get(webSocket, '_receiver');
  if (!(parser instanceof Writable)) return;
  const parse = parser._write;
  parser._write = (bytes, encoding, done) => {
    if (parser.errored === null) parse.call(parser, bytes, encoding, done);
    else done();
  };
}
