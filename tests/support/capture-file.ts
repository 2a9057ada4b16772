import { writeFileSync } from 'node:fs';
import { pcapHeader, pcapPacketOf } from '@azimuth/telegrams';

/** One direction of a connection, and what was sent in one segment. */
export interface Segment {
  readonly fromServer: boolean;
  readonly bytes: Uint8Array;
}

const ipBytes = 20;
const tcpBytes = 20;
const server = [192, 168, 0, 1] as const;
const client = [192, 168, 0, 100] as const;

/** Writes packets of UDP and TCP into a file that other tools read (pcap). */
export class CaptureFile {
  readonly #parts: Uint8Array[] = [pcapHeader()];
  #time = 1_700_000_000_000_000;
  #clientPort = 40_000;
  #frames = 0;

  /** Number of packets so far. */
  get frames(): number {
    return this.#frames;
  }

  /** Adds a datagram that a scanner sends. Returns its number in the file. */
  addDatagram(bytes: Uint8Array, destinationPort: number): number {
    return this.#add(pcapPacketOf(this.#time, bytes, { sourcePort: 50_000, destinationPort }));
  }

  /** Adds a connection to a port of a scanner. Returns the numbers of its segments in the file. */
  addConnection(port: number, segments: readonly Segment[]): readonly number[] {
    this.#clientPort++;
    const sent = { server: 1, client: 1 };
    return segments.map(({ fromServer, bytes }) => {
      const [from, to] = fromServer ? (['server', 'client'] as const) : (['client', 'server'] as const);
      const ports = fromServer ? [port, this.#clientPort] : [this.#clientPort, port];
      const packet = tcpPacket({
        addresses: fromServer ? [...server, ...client] : [...client, ...server],
        ports,
        sequence: sent[from],
        acknowledged: sent[to],
        bytes,
      });
      sent[from] += bytes.length;
      return this.#add(this.#record(packet));
    });
  }

  write(path: string): void {
    writeFileSync(path, Buffer.concat(this.#parts));
  }

  #add(record: Uint8Array): number {
    this.#parts.push(record);
    this.#time += 100;
    this.#frames++;
    return this.#frames;
  }

  #record(packet: Uint8Array): Uint8Array {
    const head = Buffer.alloc(16);
    head.writeUInt32LE(Math.floor(this.#time / 1e6), 0);
    head.writeUInt32LE(this.#time % 1e6, 4);
    head.writeUInt32LE(packet.length, 8);
    head.writeUInt32LE(packet.length, 12);
    return Buffer.concat([head, packet]);
  }
}

interface TcpPacket {
  readonly addresses: readonly number[];
  readonly ports: readonly number[];
  readonly sequence: number;
  readonly acknowledged: number;
  readonly bytes: Uint8Array;
}

/** Returns an IPv4 packet without checksums, which tools do not check by default. */
function tcpPacket({ addresses, ports, sequence, acknowledged, bytes }: TcpPacket): Buffer {
  const packet = Buffer.alloc(ipBytes + tcpBytes + bytes.length);
  packet.writeUInt8(0x45, 0);
  packet.writeUInt16BE(packet.length, 2);
  packet.writeUInt8(64, 8);
  packet.writeUInt8(6, 9);
  packet.set(addresses, 12);
  ports.forEach((port, index) => {
    packet.writeUInt16BE(port, ipBytes + 2 * index);
  });
  packet.writeUInt32BE(sequence, ipBytes + 4);
  packet.writeUInt32BE(acknowledged, ipBytes + 8);
  packet.writeUInt8((tcpBytes / 4) << 4, ipBytes + 12);
  packet.writeUInt8(0x18, ipBytes + 13);
  packet.writeUInt16BE(0xffff, ipBytes + 14);
  packet.set(bytes, ipBytes + tcpBytes);
  return packet;
}
