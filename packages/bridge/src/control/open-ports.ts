import type { Server } from 'node:net';
import { Admission, type Closable, HostAndOrigin, listen, respondText } from '@azimuth/http';

/** Ports of a relay for programs. A port that is undefined is not opened; 0 is any free one. */
export interface ControlPorts {
  /** REST, files, and events over WebSockets. */
  readonly http?: number | undefined;
  /** The legacy protocol in text (interface A). */
  readonly text?: number | undefined;
  /** The legacy protocol in binary (interface B). */
  readonly binary?: number | undefined;
}

/** The open ports of a relay. */
export interface Control {
  readonly ports: ControlPorts;
  /** Closes the ports and all connections. */
  close(): Promise<void>;
}

const flags = { http: '--http-port', text: '--legacy-a-port', binary: '--legacy-b-port' } as const;

/** Opens the ports that are chosen, or none. @throws PortTaken */
export async function openAll(
  { host, ports }: { readonly host: string; readonly ports: ControlPorts },
  listeners: Readonly<Record<keyof ControlPorts, () => Server & Closable>>,
): Promise<Control> {
  const open: (Server & Closable)[] = [];
  const bound: { -readonly [P in keyof ControlPorts]: number } = {};
  const close = async () => {
    await Promise.all(
      open.map((listener) => {
        const closed = new Promise((resolve) => listener.close(resolve));
        listener.closeAllConnections();
        return closed;
      }),
    );
  };
  try {
    for (const name of ['http', 'text', 'binary'] as const) {
      const port = ports[name];
      if (port === undefined) continue;
      const listener = listeners[name]();
      bound[name] = await listen(listener, host, port, flags[name]);
      open.push(listener);
    }
  } catch (error) {
    await close();
    throw error;
  }
  return { ports: bound, close };
}

const foreign =
  'Only programs, and pages of the scanner itself, may use this relay. Use its address as an IP address.';

/** Refuses pages of other origins, and names of others that point to this computer. */
export function ownAddressOnly(): Admission {
  const names = new HostAndOrigin();
  return new Admission({
    check: ({ request }, head) => names.refusalOf(request, head),
    respond: (response, { httpStatus, why }) =>
      respondText(response, httpStatus, httpStatus === 403 ? foreign : why),
  });
}
