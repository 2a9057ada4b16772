// The frames of a virtual scanner in a scene, for pictures of the docs. Time is virtual, so the same seed gives the same frames.
import { createSocket } from 'node:dgram';
import { once } from 'node:events';

/**
 * Starts a scanner in a scene, and calls back with each complete frame and the truth of its beams.
 * @param {{ scene: object | string, profile: number, seconds: number }} measuring
 * @param {(frame: import('@azimuth/client').Frame, truth: import('@azimuth/testing').ScanTruth) => void} measured
 */
export async function measureFrames({ scene, profile, seconds }, measured) {
  const { decodeTelegram, FrameAssembly } = await import('../packages/client/dist/index.js');
  const { startScanner } = await import('../packages/testing/dist/index.js');
  const scanner = await startScanner({ scene, seed: 7 });
  const socket = createSocket('udp4').bind(0, '127.0.0.1');
  try {
    await once(socket, 'listening');
    const frames = [];
    const assembly = new FrameAssembly();
    socket.on('message', (datagram) => {
      const telegram = decodeTelegram(datagram);
      if (telegram.kind === 'scan') frames.push(...assembly.push(telegram.telegram, 'scanner'));
    });
    await scanner.write('PerformanceProfileNumber', profile);
    const destination = { Protocol: 1, IPAddress: [127, 0, 0, 1], Port: socket.address().port };
    await scanner.write('ScanDataEthSettings', destination);
    await scanner.write('ScanDataEnable', true);
    for (let tenths = 0; tenths < 10 * seconds; tenths++) {
      await scanner.advance(100);
      for (const frame of frames.splice(0)) {
        if (frame.complete) measured(frame, await scanner.truth({ scan: frame.number }));
      }
    }
  } finally {
    socket.close();
    await scanner.close();
  }
}
