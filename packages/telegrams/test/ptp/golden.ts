import { bytesOf } from '@azimuth/test-support/golden/hex';

// Written by hand from the tables of IEEE 1588-2019, chapter 13.

export const announce = bytesOf(`
  0b 12 0040    # Announce, version 2.1, 64 bytes
  00 00 003c    # domain 0; UTC offset valid, PTP time scale, time and frequency traceable
  0000000000000000 00000000
  001122fffe334455 0001  # from port 1
  0102 05 01    # sequence 258, control 5, every 2 s
  000000000000 00000000
  0025 00       # 37 s
  80 06 21 4e5d 7f       # priority 128, class 6, accuracy within 100 ns, variance, priority 127
  001122fffe334455 0000 20  # grandmaster, no steps, GNSS
`);

export const twoStepSync = bytesOf(`
  00 12 002c 00 00 0200
  0000000000000000 00000000
  001122fffe334455 0001
  ffff 00 00    # every second
  000000000000 00000000
`);

export const followUp = bytesOf(`
  08 12 002c 00 00 0000
  0000000000018000 00000000  # correction 1.5 ns
  001122fffe334455 0001
  ffff 02 00
  00006553f100 3b9ac9ff      # 1700000000.999999999 s
`);

export const oneStepSync = bytesOf(`
  00 02 002c 00 00 0000      # version 2.0
  fffffffffffe8000 00000000  # correction -1.5 ns
  001122fffe334455 0001
  0007 00 fd    # eight a second
  000100000002 00000003      # 2^32 + 2 s, 3 ns
`);

export const delayRequest = bytesOf(`
  01 12 002c 00 00 0000
  0000000000000000 00000000
  00067bfffe0a1b2c 0001
  0009 01 7f
  000000000000 00000000
`);

export const delayResponse = bytesOf(`
  09 12 0036 00 00 0000
  0000000000000000 00000000
  001122fffe334455 0001
  0009 03 02    # at most every 4 s
  00006553f101 00000010
  00067bfffe0a1b2c 0001      # who asked
`);

/** A PATH_TRACE TLV with one clock, and an unknown one without a value. */
export const tlvs = bytesOf('0008 0008 001122fffe334455  7fff 0000');

/** A Pdelay_Req: only its header is read. */
export const peerDelayRequest = bytesOf(`
  12 12 0036 01 03 0400      # sdoId 0x103, domain 1, unicast
  0000000000000000 00000000
  001122fffe334455 0002
  0001 05 7f
  000000000000 00000000 00000000000000000000
`);
