import { encoderPayloadBytes, encoderVersion } from './compact/encoder-layout.js';
import { crcBytes, header, startMarker, telegramType, typeAt } from './compact/header.js';
import { imuLayout, imuVersion } from './compact/imu-layout.js';
import { metadataBytes, moduleAt, nextModuleAt, scanVersions } from './compact/scan-layout.js';
import { payloadAt } from './msgpack/layout.js';

/** Bytes that a telegram may have at most, where its size is only declared. */
export const mostTelegramBytes = 2 ** 20;

/** Modules that are followed: each layer of a scanner has its own at most. */
const mostModules = 256;

/** Even an empty scan takes more in MSGPACK. */
const leastMsgpackPayload = 16;

/** What can be told of the size of a telegram from its beginning. */
export type TelegramSize =
  | { readonly is: 'known'; readonly bytes: number; readonly crcFrom: number }
  /** So many bytes are needed to tell more. */
  | { readonly is: 'open'; readonly bytes: number }
  /** What begins here is no telegram. */
  | { readonly is: 'fault' };

const fault: TelegramSize = { is: 'fault' };

/** Size of the telegram that `view` begins with, by what it declares. */
export function sizeOfTelegram(view: DataView): TelegramSize {
  const size = declaredSize(view);
  return size.is !== 'fault' && size.bytes > mostTelegramBytes ? fault : size;
}

function declaredSize(view: DataView): TelegramSize {
  if (view.byteLength < typeAt + 8) return open(typeAt + 8);
  if (view.getUint32(0, true) !== startMarker) return fault;
  const type = view.getUint32(typeAt, true);
  if (type === telegramType.imu) {
    return view.getUint32(imuLayout.version, true) === imuVersion ? known(imuLayout.bytes) : fault;
  }
  if (type !== telegramType.scan && type !== telegramType.encoder) {
    return type < leastMsgpackPayload ? fault : known(payloadAt + type + crcBytes, payloadAt);
  }
  if (view.byteLength < header.bytes) return open(header.bytes);
  const version = view.getUint32(header.version, true);
  const payload = view.getUint32(header.payloadBytes, true);
  if (type === telegramType.scan) return scanSize(view, version, payload);
  if (version !== encoderVersion || payload < encoderPayloadBytes) return fault;
  return known(header.bytes + payload + crcBytes);
}

/** A scan declares the size of each module in the one before it, in the first place in the header. */
function scanSize(view: DataView, version: number, firstModule: number): TelegramSize {
  if (!scanVersions.some((other) => other === version)) return fault;
  let at: number = header.bytes;
  let modules = 0;
  for (let size = firstModule; size !== 0; modules++) {
    if (at + size > mostTelegramBytes || modules === mostModules) return fault;
    if (view.byteLength < at + moduleAt.perRow) return open(at + moduleAt.perRow);
    const rows = view.getUint32(at + moduleAt.rows, true);
    if (metadataBytes(rows, version) > size) return fault;
    const nextAt = at + nextModuleAt(rows, version);
    if (view.byteLength < nextAt + 4) return open(nextAt + 4);
    at += size;
    size = view.getUint32(nextAt, true);
  }
  return known(at + crcBytes);
}

function known(bytes: number, crcFrom = 0): TelegramSize {
  return { is: 'known', bytes, crcFrom };
}

function open(bytes: number): TelegramSize {
  return { is: 'open', bytes };
}
