import { isObject, sameJson } from '@azimuth/model';
import type { Json } from '../match/matcher.js';
import { UdpReceiver } from '../wire/udp-receiver.js';
import { get, performRequest, write } from './request.js';
import { NotTestable, type StepContext } from './step-context.js';

/** The data streams, by what they contain. */
export type StreamName = 'scan' | 'imu' | 'encoder';

/** Variables of each stream: its switch and its destination. */
export const streamVariables = {
  scan: { enable: 'ScanDataEnable', destination: 'ScanDataEthSettings' },
  imu: { enable: 'ImuDataEnable', destination: 'ImuDataEthSettings' },
  encoder: { enable: 'EncoderDataEnable', destination: 'EncoderDataEthSettings' },
} as const;

/**
 * Opens a UDP port of this computer, makes the scanner send a stream there, and switches the stream on. The settings are
 * written before, as far as they differ.
 */
export interface StreamStep {
  readonly kind: 'stream';
  readonly stream: StreamName;
  /** Name under which later steps refer to the port. */
  readonly as: string;
  /**
   * Values that variables have to have, by their names. Of an object, the members that are stated. Names that the scanner lacks
   * are left out.
   */
  readonly settings: Readonly<Record<string, Json>>;
}

export function stream(
  name: StreamName,
  settings: StreamStep['settings'] = {},
  as: string = name,
): StreamStep {
  return { kind: 'stream', stream: name, as, settings };
}

/** @throws NotTestable, Unmet, NoAnswer */
export async function performStream(step: StreamStep, context: StepContext): Promise<void> {
  const { receiveAt } = context.target;
  if (receiveAt === undefined) throw new NotTestable('needs an address of this computer for streams');
  for (const [name, value] of Object.entries(step.settings)) {
    if (context.subject.has(name)) await settle(name, value, context);
  }
  const receiver = await opened(receiveAt);
  context.closeAtEnd(() => receiver.close());
  context.saved.set(receiverKey(step.as), receiver);
  const { enable, destination } = streamVariables[step.stream];
  const IPAddress = receiveAt.split('.').map(Number);
  await settle(destination, { Protocol: 1, IPAddress, Port: receiver.port }, context);
  await settle(enable, true, context);
}

/** Returns the port that a step has opened under a name. */
export function receiverOf(name: string, { saved }: StepContext): UdpReceiver {
  const receiver = saved.get(receiverKey(name));
  if (receiver instanceof UdpReceiver) return receiver;
  throw new Error(`no step has opened the stream ${name}`);
}

function receiverKey(name: string): string {
  return `receiver of ${name}`;
}

async function opened(address: string): Promise<UdpReceiver> {
  try {
    return await UdpReceiver.open(address);
  } catch (error) {
    throw new NotTestable(`no port could be opened at ${address} (${String(error)})`);
  }
}

/** Writes a variable if it has another value. */
async function settle(name: string, value: Json, context: StepContext): Promise<void> {
  const key = `present ${name}`;
  await performRequest(get(name, { status: 0 }, { save: { [key]: 'data' } }), context);
  const data = context.saved.get(key);
  const present = isObject(data) && Object.hasOwn(data, name) ? data[name] : data;
  const wanted = isObject(value) && isObject(present) ? { ...present, ...value } : value;
  if (sameJson(present, wanted)) return;
  context.changing(name, present);
  context.saved.set(key, wanted);
  await performRequest(write(name, { saved: key }), context);
}
