import { type RawData, WebSocket } from 'ws';
import {
  closing,
  type EventSocket,
  HandshakeFailure,
  maxMessageBytes,
  type OpenSocket,
  type RefusedHandshake,
} from '../socket.js';

interface HttpMessage extends AsyncIterable<Buffer> {
  readonly statusCode?: number | undefined;
  readonly headers: NodeJS.Dict<string | string[]>;
}

/** Limit for the bytes that are read of an HTTP response in place of a handshake. */
const maxRefusalBytes = 64 * 1024;

/** Time that the other side has for the closing handshake (ms). */
const closeTimeout = 1000;

/** Opens a WebSocket that compresses, which devices insist on. */
export const openSocket: OpenSocket = (url, { listener, signal, dial }) =>
  new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const socket = new WebSocket(url, { ...dial, perMessageDeflate: true, maxPayload: maxMessageBytes });
    let open = false;
    let broken: string | undefined;
    const drop = () => {
      socket.terminate();
      reject(signal.reason);
    };
    signal.addEventListener('abort', drop);
    socket.on('open', () => {
      open = true;
      signal.removeEventListener('abort', drop);
      resolve(socketHandle(socket));
    });
    socket.on('unexpected-response', (request, response) => {
      void refusedHandshake(response).then((refusal) => {
        signal.removeEventListener('abort', drop);
        request.destroy();
        reject(new HandshakeFailure(`HTTP ${refusal.httpStatus}`, refusal));
      });
    });
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (open) {
        // An error code of `ws` is about received data; any other code is about the network.
        if (error.code?.startsWith('WS_ERR_') === true) broken = error.message;
        return;
      }
      signal.removeEventListener('abort', drop);
      const reason = error.code ?? error.message;
      reject(new HandshakeFailure(reason, error.code === undefined ? 'broken' : 'none', { cause: error }));
    });
    socket.on('message', (data, isBinary) =>
      listener.message(isBinary ? messageBytes(data) : messageText(data)),
    );
    socket.on('pong', () => listener.alive());
    socket.on('close', (code, reason) => {
      if (open) listener.closed(broken ?? closing(code, reason.toString()), broken !== undefined);
    });
  });

function socketHandle(socket: WebSocket): EventSocket {
  return {
    send: (text) => {
      // If the connection is lost, its close event reports that.
      if (socket.readyState === WebSocket.OPEN) socket.send(text);
    },
    ping: () => {
      if (socket.readyState === WebSocket.OPEN) socket.ping();
    },
    close: () => {
      if (socket.readyState === WebSocket.CLOSED) return;
      const limit = setTimeout(() => socket.terminate(), closeTimeout);
      socket.once('close', () => clearTimeout(limit));
      socket.close(1000);
    },
  };
}

function messageText(data: RawData): string {
  return messageBytes(data).toString();
}

function messageBytes(data: RawData): Buffer {
  if (Array.isArray(data)) return Buffer.concat(data);
  return Buffer.isBuffer(data) ? data : Buffer.from(data);
}

async function refusedHandshake(response: HttpMessage): Promise<RefusedHandshake> {
  const { statusCode = 0, headers } = response;
  const responseHeaders = new Headers();
  for (const [name, value] of Object.entries(headers)) responseHeaders.set(name, String(value));
  const pieces: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const piece of response) {
      pieces.push(piece);
      bytes += piece.length;
      if (bytes > maxRefusalBytes) break;
    }
  } catch {
    // The part that has arrived is enough.
  }
  return { httpStatus: statusCode, headers: responseHeaders, text: Buffer.concat(pieces).toString() };
}
