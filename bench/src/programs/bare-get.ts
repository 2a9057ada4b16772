// The floor of a read: node:http with a constant body. No routing, no checks.
// Arguments: the port, the body.
import { createServer } from 'node:http';

const [port, body = ''] = process.argv.slice(2);

createServer((_request, response) => {
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': body.length });
  // The body is text: node sends bytes apart from the header, which takes longer.
  response.end(body, 'latin1');
}).listen(Number(port), '127.0.0.1');
