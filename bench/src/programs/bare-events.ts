// The floor of an event: ws over node:http, which sends each client the same text. Arguments: the port, and `deflate`
// for permessage-deflate as ws has it. POST with {"celsius":20} is a change.
import { createServer } from 'node:http';
import { type WebSocket, WebSocketServer } from 'ws';
import { isObject, parse } from '../json.js';

const [port, deflate] = process.argv.slice(2);
const clients = new Set<WebSocket>();

function tell(celsius: number): void {
  const data = { CurrentTempDev: celsius };
  const text = JSON.stringify({ type: 'event', event: 'CurrentTempDev', clientId: 1, status: 0, data });
  for (const client of clients) client.send(text);
}

const server = createServer((request, response) => {
  let body = '';
  request.on('data', (part) => {
    body += String(part);
  });
  request.on('end', () => {
    const change = request.method === 'POST' ? parse(body) : undefined;
    if (isObject(change)) tell(Number(change.celsius));
    response.end('{"ok":true}');
  });
});
// Below its threshold ws would leave messages without a context as they are.
const compression = { serverNoContextTakeover: true, clientNoContextTakeover: true, threshold: 0 };
const events = new WebSocketServer({
  server,
  perMessageDeflate: deflate === 'deflate' ? compression : false,
});
events.on('connection', (client) => {
  clients.add(client);
  client.on('message', (message) => client.send(String(message)));
});
server.listen(Number(port), '127.0.0.1');
