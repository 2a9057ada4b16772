import { closing, type EventSocket, HandshakeFailure, maxMessageBytes, type OpenSocket } from './socket.js';

const unknownReason = 'no WebSocket could be opened, and browsers do not tell why';
const tooLong = `a message of more than ${maxMessageBytes} characters or bytes`;

/** Opens the platform's WebSocket. It cannot ping, and gives no reason for a failed handshake. */
export const openSocket: OpenSocket = (url, { listener, signal }) =>
  new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const socket = new WebSocket(url);
    socket.binaryType = 'arraybuffer';
    let open = false;
    const drop = () => {
      // Browsers report an error if a socket is closed while it connects. So a socket that is no longer needed is
      // closed later.
      if (isTimeout(signal.reason)) socket.close();
      reject(signal.reason);
    };
    signal.addEventListener('abort', drop);
    socket.addEventListener('open', () => {
      if (signal.aborted) {
        socket.close(1000);
        return;
      }
      open = true;
      signal.removeEventListener('abort', drop);
      resolve(socketHandle(socket));
    });
    socket.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
      if (!open) return;
      const message = data instanceof ArrayBuffer ? new Uint8Array(data) : String(data);
      if (message.length > maxMessageBytes) listener.closed(tooLong, true);
      else listener.message(message);
    });
    socket.addEventListener('close', ({ code, reason }) => {
      signal.removeEventListener('abort', drop);
      if (!open) reject(new HandshakeFailure(unknownReason, 'unknown'));
      else listener.closed(closing(code, reason), false);
    });
  });

function isTimeout(reason: unknown): boolean {
  return reason instanceof DOMException && reason.name === 'TimeoutError';
}

function socketHandle(socket: WebSocket): EventSocket {
  return {
    send: (text) => {
      // If the connection is lost, its close event reports that.
      if (socket.readyState === WebSocket.OPEN) socket.send(text);
    },
    close: () => socket.close(1000),
  };
}
