import { hostname } from 'node:os';
import { type OutputBasics, QueuedOutput } from '../queued-output.js';
import { type SyslogFacility, syslogMessage } from './syslog-message.js';
import { ConnectionTransport, DatagramTransport, type SyslogTransport } from './transports.js';

export interface SyslogOptions extends OutputBasics {
  /** `udp://HOST:514`, `tcp://HOST:601` or `tls://HOST:6514`; these ports are the default ones. */
  readonly url: string;
  readonly facility?: SyslogFacility | undefined;
  /** Authorities for TLS, in PEM. */
  readonly ca?: string | undefined;
}

const ports: Readonly<Record<string, number>> = { 'udp:': 514, 'tcp:': 601, 'tls:': 6514 };

/** Returns an output that sends entries to a server of syslog (RFC 5424). */
export function syslogOutput(options: SyslogOptions): QueuedOutput {
  const { url, facility = 'daemon', ca } = options;
  const transport = transportTo(new URL(url), ca);
  const origin = { facility, host: hostname(), process: process.pid };
  const sender = {
    send: (entry: Parameters<typeof syslogMessage>[0], signal: AbortSignal) =>
      transport.send(syslogMessage(entry, origin, transport.longest), signal),
    end: async () => transport.end(),
  };
  return new QueuedOutput(sender, options);
}

function transportTo({ protocol, hostname: name, port }: URL, ca: string | undefined): SyslogTransport {
  const host = name.replace(/^\[|\]$/g, '');
  const place = { host, port: port === '' ? (ports[protocol] ?? 0) : Number(port) };
  if (protocol === 'udp:') return new DatagramTransport(place);
  return new ConnectionTransport(place, protocol === 'tls:' ? { ca } : undefined);
}
