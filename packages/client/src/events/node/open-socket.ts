import { type RawData, WebSocket } from 'ws';
import {
  closing,
  type EventSocket,
  HandshakeFailure,
  longestMessage,
  type OpenSocket,
  type RefusedHandshake,
} from '../socket.js';

interface Answer extends AsyncIterable<Buffer> {
  readonly statusCode?: number | undefined;
  readonly headers: NodeJS.Dict<string | string[]>;
}

/** How much of an HTTP answer in place of a handshake is read (bytes). */
const longestRefusal = 64 * 1024;

/** How long the other side may take to close in good order (ms). */
const longestClosing = 1000;

/** Opens a WebSocket that compresses, which devices insist on. */
export const openSocket: OpenSocket = (url, { listener, signal }) =>
  new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const socket = new WebSocket(url, { perMessageDeflate: true, maxPayload: longestMessage });
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
      resolve(handleOf(socket));
    });
    socket.on('unexpected-response', (request, response) => {
      void refusalOf(response).then((refusal) => {
        signal.removeEventListener('abort', drop);
        request.destroy();
        reject(new HandshakeFailure(`HTTP ${refusal.httpStatus}`, refusal));
      });
    });
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (open) {
        // A word of `ws` is about what the other side has sent, any other one about the network.
        if (error.code?.startsWith('WS_ERR_') === true) broken = error.message;
        return;
      }
      signal.removeEventListener('abort', drop);
      const reason = error.code ?? error.message;
      reject(new HandshakeFailure(reason, error.code === undefined ? 'broken' : 'none', { cause: error }));
    });
    socket.on('message', (data, isBinary) => listener.message(isBinary ? bytesOf(data) : textOf(data)));
    socket.on('pong', () => listener.alive());
    socket.on('close', (code, reason) => {
      if (open) listener.closed(broken ?? closing(code, reason.toString()), broken !== undefined);
    });
  });

function handleOf(socket: WebSocket): EventSocket {
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
      const limit = setTimeout(() => socket.terminate(), longestClosing);
      socket.once('close', () => clearTimeout(limit));
      socket.close(1000);
    },
  };
}

function textOf(data: RawData): string {
  return bytesOf(data).toString();
}

function bytesOf(data: RawData): Buffer {
  if (Array.isArray(data)) return Buffer.concat(data);
  return Buffer.isBuffer(data) ? data : Buffer.from(data);
}

async function refusalOf(response: Answer): Promise<RefusedHandshake> {
  const { statusCode = 0, headers } = response;
  const answerHeaders = new Headers();
  for (const [name, value] of Object.entries(headers)) answerHeaders.set(name, String(value));
  const pieces: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const piece of response) {
      pieces.push(piece);
      bytes += piece.length;
      if (bytes > longestRefusal) break;
    }
  } catch {
    // What has come of it has to do.
  }
  return { httpStatus: statusCode, headers: answerHeaders, text: Buffer.concat(pieces).toString() };
}
