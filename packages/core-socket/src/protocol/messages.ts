import type { MeasuringOrder, Motion, ScanGeometry } from '@azimuth/device';

export interface Hello {
  readonly version: number;
  /** Bits of `capability`. */
  readonly capabilities: number;
  readonly name: string;
}

/** What to measure. */
export interface Order {
  readonly order: number;
  readonly geometry: ScanGeometry;
  readonly sensitivity: MeasuringOrder['sensitivity'];
  readonly longRange: boolean;
  /** The last known revolution: it began at `time` (ns of the core's clock; negative if before its zero). */
  readonly origin: { readonly number: number; readonly time: bigint };
}

/** Beams of a scan. */
export interface Segment {
  readonly order: number;
  readonly scan: number;
  /** When its first beam was measured, in ns of the core's clock. */
  readonly time: bigint;
  readonly first: number;
  readonly count: number;
  readonly distance: Float32Array;
  readonly rssi: Uint16Array;
  readonly flags: Uint8Array;
}

export interface Status {
  readonly isError: boolean;
  readonly text: string;
}

/** A message from the core. The echoes of a segment stay in the bytes of the message until `copyEchoes`. */
export type CoreMessage =
  | ({ readonly kind: 'hello' } & Hello)
  | { readonly kind: 'started'; readonly order: number }
  | ({ readonly kind: 'segment'; readonly bytes: Buffer } & Omit<Segment, 'distance' | 'rssi' | 'flags'>)
  | { readonly kind: 'motion'; readonly motion: Motion }
  | ({ readonly kind: 'status' } & Status)
  | { readonly kind: 'pong'; readonly token: bigint; readonly time: bigint };

/** A message from the scanner. */
export type ScannerMessage =
  | ({ readonly kind: 'hello' } & Hello)
  | ({ readonly kind: 'order' } & Order)
  | { readonly kind: 'stop'; readonly order: number }
  | { readonly kind: 'ping'; readonly token: bigint }
  | { readonly kind: 'refusal'; readonly text: string };

/** Bytes that are not a message of the protocol. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError';
}
