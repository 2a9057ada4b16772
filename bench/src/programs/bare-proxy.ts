// The floor of a gateway: node:http that forwards each request with its headers and body over connections that stay open.
// Arguments: the port, the port of the server behind it.
import { Agent, createServer, request as send } from 'node:http';

const [port, behind] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true });

createServer((request, response) => {
  const { method, url, headers } = request;
  const options = { host: '127.0.0.1', port: Number(behind), agent, method, path: url, headers };
  const forwarded = send(options, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  forwarded.once('error', () => response.destroy());
  request.pipe(forwarded);
}).listen(Number(port), '127.0.0.1');
