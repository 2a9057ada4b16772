import { createPublicKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { FolderStorage, SystemClock, SystemRandom } from 'azimuth-scanner/device';
import { ScannerService } from 'azimuth-scanner/server';
import { LinuxBoard } from './linux-board.mjs';

const { BOARD_DATA = './scanner', BOARD_KEY, BOARD_OPTIONS = '{}', BOARD_PORT = '80' } = process.env;

const service = await ScannerService.start({
  device: {
    identity: { serialNumber: '23450001' },
    random: new SystemRandom(),
    storage: await FolderStorage.open(BOARD_DATA),
    variant: 'full',
    // Put your measuring core here. This one sees nothing.
    core: { start: () => {}, stop: () => {} },
    firmwareKey: BOARD_KEY === undefined ? undefined : createPublicKey(readFileSync(BOARD_KEY)),
  },
  clock: new SystemClock(),
  hardware: new LinuxBoard(JSON.parse(BOARD_OPTIONS)),
  // Its ports are at the address of its network settings. If this address is not there, they are at all addresses.
  network: { address: '0.0.0.0', follows: true },
  web: { port: Number(BOARD_PORT), maxConnections: 100 },
});
service.outliveErrors();
