// Sends what streaming scanners send, at the same moments, and does nothing else: prepared datagrams of 3.7 kB, of which
// only the number and the times change. Arguments: UDP ports of this machine, one for each scanner.
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';

/** Bytes of a telegram in Compact: 276 beams, three echoes with signal strength, properties and azimuth. */
const telegramBytes = 3700;
/** ms of a revolution of 50 Hz. Segments end after 60°, 120°, 180°, 240° and 276° of it. */
const revolution = 20;
const ends = [60, 120, 180, 240, 276].map((degrees) => (revolution * degrees) / 360);
/** Offsets of these values in a telegram (Compact, type 1). */
const at = { type: 4, sequence: 8, transmitTime: 16, sender: 48, lastBeamTime: 72 } as const;

/** One scanner: when its next telegram is due, in ms. */
interface Sender {
  readonly socket: Socket;
  readonly number: number;
  readonly begun: number;
  sent: number;
  due: number;
}

const ports = process.argv.slice(2).map(Number);
const senders = await Promise.all(ports.map(open));

async function open(port: number, index: number): Promise<Sender> {
  const socket = createSocket('udp4');
  socket.connect(port, '127.0.0.1');
  await once(socket, 'connect');
  const begun = performance.now() + (index * revolution) / ports.length;
  return { socket, number: index + 1, begun, sent: 0, due: begun + (ends[0] ?? 0) };
}

function sendDue(): void {
  for (;;) {
    const sender = senders.reduce((first, each) => (each.due < first.due ? each : first));
    const wait = sender.due - performance.now();
    if (wait > 0) {
      setTimeout(sendDue, wait);
      return;
    }
    send(sender);
  }
}

function send(sender: Sender): void {
  const telegram = Buffer.alloc(telegramBytes);
  telegram.writeUInt32LE(1, at.type);
  telegram.writeBigUInt64LE(BigInt(sender.sent + 1), at.sequence);
  telegram.writeBigUInt64LE(BigInt(Math.round(performance.now() * 1000)), at.transmitTime);
  telegram.writeUInt32LE(sender.number, at.sender);
  telegram.writeBigUInt64LE(BigInt(Math.round(sender.due * 1000)), at.lastBeamTime);
  sender.socket.send(telegram);
  sender.sent++;
  const turns = Math.floor(sender.sent / ends.length);
  sender.due = sender.begun + turns * revolution + (ends[sender.sent % ends.length] ?? 0);
}

process.on('message', () => process.send?.({ scans: 0, skipped: 0 }));
process.on('disconnect', () => process.exit());
process.send?.('open');
sendDue();
