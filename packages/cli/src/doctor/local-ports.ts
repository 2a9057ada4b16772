import { pause } from '@azimuth/async';
import { ClientError, type Telegram } from '@azimuth/client';
import { ReceiveError, type Receiver, receiveTcp, receiveUdp } from '@azimuth/client/receive';
import type { StreamName } from '../scan-data/stream-settings.js';

/** Where to listen: a UDP port of this computer, or a TCP port of a scanner. */
export interface Listening {
  readonly protocol: 'UDP' | 'TCP';
  readonly port: number;
  /** UDP: the multicast group to join. TCP: the scanner. */
  readonly address?: string;
}

/** A telegram in short. */
export interface HeardTelegram {
  readonly kind: StreamName;
  /** The address of the sender, without its port. */
  readonly from: string;
  /** The serial number that it states; undefined if telegrams of its kind state none. */
  readonly serial?: number;
}

/** What came while it listened. */
export interface Heard {
  /** The error code of the system if nothing could be received. */
  readonly closed?: string;
  readonly telegrams: readonly HeardTelegram[];
  readonly damaged: number;
  /** s */
  readonly seconds: number;
}

/** So many telegrams are remembered: more than come in the time, unless somebody floods the port. */
const mostTelegrams = 20_000;

/**
 * Listens at ports of this computer, each once, even if several scanners send to it. A port that another program has is not
 * taken from it.
 */
export class LocalPorts {
  readonly #heard = new Map<string, Promise<Heard>>();
  readonly #ms: number;

  /** @param ms how long to listen */
  constructor(ms: number) {
    this.#ms = ms;
  }

  heard(listening: Listening): Promise<Heard> {
    const key = `${listening.protocol} ${listening.address ?? ''} ${listening.port}`;
    const heard = this.#heard.get(key) ?? listen(listening, this.#ms);
    this.#heard.set(key, heard);
    return heard;
  }
}

async function listen(listening: Listening, ms: number): Promise<Heard> {
  let receiver: Receiver;
  try {
    receiver = await receiverAt(listening, ms);
  } catch (error) {
    if (!(error instanceof ClientError)) throw error;
    const closed = error instanceof ReceiveError ? error.code : 'not connected';
    return { closed, telegrams: [], damaged: 0, seconds: 0 };
  }
  const telegrams: HeardTelegram[] = [];
  const over = pause(ms).then(() => receiver.close());
  for await (const { telegram, from } of receiver) {
    if (telegrams.length < mostTelegrams) telegrams.push(inShort(telegram, from));
  }
  await over;
  return { telegrams, damaged: receiver.losses.damaged, seconds: ms / 1000 };
}

function receiverAt({ protocol, port, address }: Listening, timeoutMs: number): Promise<Receiver> {
  if (protocol === 'TCP') return receiveTcp({ host: address ?? '', port, timeoutMs });
  return receiveUdp({ port, multicast: address });
}

function inShort(telegram: Telegram, sender: string): HeardTelegram {
  const from = sender.slice(0, sender.lastIndexOf(':'));
  if (telegram.kind === 'imu') return { kind: 'imu', from };
  if (telegram.kind === 'encoder') return { kind: 'encoder', from, serial: telegram.telegram.sender };
  const [module] = telegram.telegram.modules;
  return { kind: 'scan', from, serial: module?.sender };
}
