/** Datagrams over IPv4 as a capture (pcap, raw IP, big-endian), made by hand. */
export function captureOf(datagrams: readonly Buffer[], microsecondsApart: number): Buffer {
  const head = Buffer.alloc(24);
  head.writeUInt32BE(0xa1b2c3d4, 0);
  head.writeUInt16BE(2, 4);
  head.writeUInt16BE(4, 6);
  head.writeUInt32BE(65_535, 16);
  head.writeUInt32BE(101, 20);
  return Buffer.concat([
    head,
    ...datagrams.flatMap((payload, at) => packet(payload, at * microsecondsApart)),
  ]);
}

function packet(payload: Buffer, microseconds: number): readonly Buffer[] {
  const size = 28 + payload.length;
  const record = Buffer.alloc(16);
  record.writeUInt32BE(1_700_000_000 + Math.floor(microseconds / 1_000_000), 0);
  record.writeUInt32BE(microseconds % 1_000_000, 4);
  record.writeUInt32BE(size, 8);
  record.writeUInt32BE(size, 12);
  // IPv4 without options, UDP inside, from 127.0.0.1:40000 to 127.0.0.1:2115.
  const ip = Buffer.alloc(28);
  ip.writeUInt8(0x45, 0);
  ip.writeUInt16BE(size, 2);
  ip.writeUInt8(64, 8);
  ip.writeUInt8(17, 9);
  ip.writeUInt32BE(0x7f000001, 12);
  ip.writeUInt32BE(0x7f000001, 16);
  ip.writeUInt16BE(checksum(ip.subarray(0, 20)), 10);
  ip.writeUInt16BE(40_000, 20);
  ip.writeUInt16BE(2115, 22);
  ip.writeUInt16BE(8 + payload.length, 24);
  return [record, ip, payload];
}

function checksum(bytes: Buffer): number {
  let sum = 0;
  for (let at = 0; at < bytes.length; at += 2) sum += bytes.readUInt16BE(at);
  while (sum > 0xffff) sum = (sum & 0xffff) + (sum >>> 16);
  return ~sum & 0xffff;
}
