// The floor of an upload: node:http that pipes each PUT to a file. Arguments: the port, the file, and `sync` where the
// file is to be on disk before the answer.
import { createWriteStream } from 'node:fs';
import { createServer } from 'node:http';
import { pipeline } from 'node:stream';

const [port, file = '', sync] = process.argv.slice(2);

createServer((request, response) => {
  if (request.method === 'GET') {
    response.end();
    return;
  }
  pipeline(request, createWriteStream(file, { flush: sync === 'sync' }), (error) => {
    response.writeHead(error ? 500 : 200, { 'Content-Length': 0 });
    response.end();
  });
}).listen(Number(port), '127.0.0.1');
