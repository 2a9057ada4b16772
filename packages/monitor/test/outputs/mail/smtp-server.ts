import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { createSecureContext, TLSSocket } from 'node:tls';
import { onTestFinished } from 'vitest';

export interface SmtpOptions {
  /** Certificate and key in PEM: it offers STARTTLS then. */
  readonly tls?: { readonly cert: string; readonly key: string } | undefined;
  /** The password that it accepts; it asks for no login if undefined. */
  readonly password?: string | undefined;
  /** What it responds to a command in place of what is usual: `RCPT` to `550 No`. */
  readonly responses?: Readonly<Record<string, string>>;
}

/** A small server of SMTP (RFC 5321), with STARTTLS and a login, that stores what it gets. */
export class SmtpServer {
  readonly mails: string[] = [];
  readonly commands: string[] = [];
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  constructor(readonly options: SmtpOptions = {}) {
    this.#server = createServer((socket) => this.#serve(socket));
    onTestFinished(() => this.close());
  }

  async listen(port = 0): Promise<number> {
    this.#server.listen(port, '127.0.0.1');
    await once(this.#server, 'listening');
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('a TCP server has a port');
    return address.port;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    if (!this.#server.listening) return;
    this.#server.close();
    await once(this.#server, 'close');
  }

  #serve(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('error', () => undefined);
    socket.write('220 test ESMTP\r\n');
    this.#talk(socket);
  }

  #talk(socket: Socket): void {
    let text = '';
    let isData = false;
    socket.on('data', (piece) => {
      text += piece.toString();
      for (;;) {
        const end = isData ? text.indexOf('\r\n.\r\n') : text.indexOf('\r\n');
        if (end < 0) return;
        const part = text.slice(0, end);
        text = text.slice(end + (isData ? 5 : 2));
        if (isData) {
          isData = false;
          this.mails.push(part);
          socket.write(this.#response('.', '250 Stored'));
          continue;
        }
        this.commands.push(part);
        const word = part.split(' ', 1)[0]?.toUpperCase() ?? '';
        if (word === 'STARTTLS') return this.#encrypt(socket);
        isData = word === 'DATA' && this.options.responses?.DATA === undefined;
        socket.write(this.#responseTo(word, part));
      }
    });
  }

  #encrypt(socket: Socket): void {
    socket.removeAllListeners('data');
    socket.write('220 Go\r\n');
    const secure = new TLSSocket(socket, {
      isServer: true,
      secureContext: createSecureContext(this.options.tls),
    });
    secure.on('error', () => undefined);
    this.#talk(secure);
  }

  #responseTo(word: string, line: string): string {
    const { password, tls } = this.options;
    switch (word) {
      case 'EHLO':
        return `250-test\r\n${tls === undefined ? '' : '250-STARTTLS\r\n'}${password === undefined ? '' : '250-AUTH PLAIN\r\n'}250 8BITMIME\r\n`;
      case 'AUTH': {
        const given = Buffer.from(line.split(' ')[2] ?? '', 'base64')
          .toString()
          .split('\0')[2];
        return given === password ? '235 Welcome\r\n' : `535 Wrong password ${given}\r\n`;
      }
      case 'DATA':
        return this.#response(word, '354 Go on');
      case 'QUIT':
        return '221 Bye\r\n';
      default:
        return this.#response(word, '250 OK');
    }
  }

  #response(word: string, usual: string): string {
    return `${this.options.responses?.[word] ?? usual}\r\n`;
  }
}
