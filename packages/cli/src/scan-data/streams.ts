import { type Scanner, ScannerError } from '@azimuth/client';
import { ScanDataFormat } from '@azimuth/model';

/** The data streams of a scanner with the variables that steer them. */
export const streams = {
  scan: { title: 'scan data', enable: 'ScanDataEnable', destination: 'ScanDataEthSettings' },
  imu: { title: 'IMU data', enable: 'ImuDataEnable', destination: 'ImuDataEthSettings' },
  encoder: { title: 'encoder data', enable: 'EncoderDataEnable', destination: 'EncoderDataEthSettings' },
} as const;

export type StreamName = keyof typeof streams;

/** What a scanner does with a stream. */
export interface StreamSettings {
  readonly name: StreamName;
  readonly enabled: boolean;
  readonly protocol: 'UDP' | 'TCP';
  /** `192.168.0.100`; of no meaning for TCP. */
  readonly address: string;
  readonly port: number;
  /** The name of a format that is not read here; undefined where it is one that is. */
  readonly foreignFormat?: string;
}

/** Asks a scanner, which takes no login. Undefined for a stream that its release or variant does not have. */
export async function streamSettings(
  scanner: Scanner,
  name: StreamName,
): Promise<StreamSettings | undefined> {
  const { enable, destination } = streams[name];
  try {
    const enabled = await scanner.read(enable);
    const { Protocol, IPAddress, Port } = await scanner.read(destination);
    const format = name === 'scan' ? await foreignFormat(scanner) : {};
    const protocol = Protocol === 2 ? 'TCP' : 'UDP';
    return { name, enabled, protocol, address: IPAddress.join('.'), port: Port, ...format };
  } catch (error) {
    if (error instanceof ScannerError && error.statusName === 'notFound') return undefined;
    throw error;
  }
}

async function foreignFormat(scanner: Scanner): Promise<{ foreignFormat?: string }> {
  const number = await scanner.read('ScanDataFormat');
  if (number === ScanDataFormat.Compact || number === ScanDataFormat.MSGPACK) return {};
  const [name = `format ${number}`] =
    Object.entries(ScanDataFormat).find(([, value]) => value === number) ?? [];
  return { foreignFormat: name };
}
