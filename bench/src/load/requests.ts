const host = 'Host: 127.0.0.1\r\n';

/** A whole GET request. */
export function getRequest(path: string): string {
  return `GET ${path} HTTP/1.1\r\n${host}\r\n`;
}

/** A whole POST request with a JSON body of ASCII characters. */
export function postRequest(path: string, body: string): string {
  const head = `POST ${path} HTTP/1.1\r\n${host}Content-Type: application/json\r\n`;
  return `${head}Content-Length: ${body.length}\r\n\r\n${body}`;
}
