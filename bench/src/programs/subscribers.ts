// Subscribers of one event. Arguments: address of the WebSocket, address of the change, number of subscribers. Ready
// when each has its response. For each message that it gets, it makes a change, and sends the ms until the last
// subscriber had it.
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { WebSocket } from 'ws';

const [address = '', change = '', count = '1'] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true });
const register = JSON.stringify({ type: 'register', event: 'CurrentTempDev', clientId: 1 });
let missing = Number(count);
let complete: () => void = () => undefined;
let celsius = 20;

async function subscribe(): Promise<void> {
  const socket = new WebSocket(address, { perMessageDeflate: false });
  await once(socket, 'open');
  socket.send(register);
  await once(socket, 'message');
  socket.on('message', () => {
    missing--;
    if (missing === 0) complete();
  });
}

function post(body: string): void {
  const headers = { 'Content-Type': 'application/json', 'Content-Length': body.length };
  const posted = request(change, { method: 'POST', agent, headers }, (response) => response.resume());
  posted.on('error', (error) => {
    // The server may close a connection that was idle just when it is used again.
    if (!posted.reusedSocket) throw error;
    post(body);
  });
  posted.end(body);
}

async function lastOf(): Promise<number> {
  missing = Number(count);
  celsius = celsius === 20 ? 21 : 20;
  const all = new Promise<void>((resolve) => {
    complete = resolve;
  });
  const begun = performance.now();
  post(JSON.stringify({ celsius }));
  await all;
  return performance.now() - begun;
}

for (let number = 0; number < Number(count); number++) await subscribe();
process.on('message', () => void lastOf().then((milliseconds) => process.send?.(milliseconds)));
process.on('disconnect', () => process.exit());
process.send?.('ready');
