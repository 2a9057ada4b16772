import { ipv4 } from '../types/address.js';
import { enumeration } from '../types/enumeration.js';
import { integer } from '../types/integer.js';
import { struct } from '../types/struct.js';

/** Where a data stream goes: protocol, destination address and port. Scan, IMU and encoder data have one each. */
export function streamDestination(port: number) {
  return struct({
    Protocol: enumeration({ UDP: 1, TCP: 2 }, 1),
    IPAddress: ipv4([192, 168, 0, 100]),
    Port: integer('uint16', { initial: port }),
  });
}
