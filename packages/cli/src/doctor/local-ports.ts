import { pause } from '@azimuth/async';
import { ClientError, type Telegram } from '@azimuth/client';
import { ReceiveError, type Receiver, receiveTcp, receiveUdp } from '@azimuth/client/receive';
import type { StreamName } from '../scan-data/stream-settings.js';

/** A place to listen at: a UDP port of this computer, or a TCP port of a scanner. */
export interface Listening {
  readonly protocol: 'UDP' | 'TCP';
  readonly port: number;
  /** UDP: the multicast group to join. TCP: the scanner. */
  readonly address?: string;
}

/** Short form of a telegram. */
export interface ReceivedTelegram {
  readonly kind: StreamName;
  /** The address of the sender, without its port. */
  readonly from: string;
  /** The serial number in the telegram; undefined if telegrams of its kind have none. */
  readonly serial?: number;
}

/** The received telegrams. */
export interface Reception {
  /** The error code of the system if nothing could be received. */
  readonly closed?: string;
  readonly telegrams: readonly ReceivedTelegram[];
  readonly damaged: number;
  /** Duration in s. */
  readonly seconds: number;
}

/** Number of stored telegrams: more than arrive in the time, except in a flood. */
const maxTelegrams = 20_000;

/**
 * Listens at ports of this computer, each once, even if several scanners send to it. It uses no port that another
 * program has.
 */
export class LocalPorts {
  readonly #receptions = new Map<string, Promise<Reception>>();
  readonly #ms: number;

  /** @param ms time to listen */
  constructor(ms: number) {
    this.#ms = ms;
  }

  receive(listening: Listening): Promise<Reception> {
    const key = `${listening.protocol} ${listening.address ?? ''} ${listening.port}`;
    const reception = this.#receptions.get(key) ?? listen(listening, this.#ms);
    this.#receptions.set(key, reception);
    return reception;
  }
}

async function listen(listening: Listening, ms: number): Promise<Reception> {
  let receiver: Receiver;
  try {
    receiver = await receiverAt(listening, ms);
  } catch (error) {
    if (!(error instanceof ClientError)) throw error;
    const closed = error instanceof ReceiveError ? error.code : 'not connected';
    return { closed, telegrams: [], damaged: 0, seconds: 0 };
  }
  const telegrams: ReceivedTelegram[] = [];
  const over = pause(ms).then(() => receiver.close());
  for await (const { telegram, from } of receiver) {
    if (telegrams.length < maxTelegrams) telegrams.push(inShort(telegram, from));
  }
  await over;
  return { telegrams, damaged: receiver.losses.damaged, seconds: ms / 1000 };
}

function receiverAt({ protocol, port, address }: Listening, timeoutMs: number): Promise<Receiver> {
  if (protocol === 'TCP') return receiveTcp({ host: address ?? '', port, timeoutMs });
  return receiveUdp({ port, multicast: address });
}

function inShort(telegram: Telegram, sender: string): ReceivedTelegram {
  const from = sender.slice(0, sender.lastIndexOf(':'));
  if (telegram.kind === 'imu') return { kind: 'imu', from };
  if (telegram.kind === 'encoder') return { kind: 'encoder', from, serial: telegram.telegram.sender };
  const [module] = telegram.telegram.modules;
  return { kind: 'scan', from, serial: module?.sender };
}
