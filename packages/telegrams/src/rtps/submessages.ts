import type { EntityId, GuidPrefix } from './guid.js';
import type { NumberSet } from './sequence-numbers.js';

/** The kinds of submessages that are read or written (DDSI-RTPS 2.5 §9.4.5.1.1). Others are skipped. */
export const submessageKind = {
  ackNack: 0x06,
  heartbeat: 0x07,
  gap: 0x08,
  infoTimestamp: 0x09,
  infoSource: 0x0c,
  infoDestination: 0x0e,
  nackFragment: 0x12,
  data: 0x15,
  dataFragment: 0x16,
} as const;

/** The lowest bit of the flags of every submessage: little-endian. */
export const littleEndianFlag = 0x01;

export const dataFlag = { inlineQos: 0x02, data: 0x04, key: 0x08 } as const;
export const dataFragmentFlag = { inlineQos: 0x02, key: 0x04 } as const;
export const heartbeatFlag = { final: 0x02 } as const;
export const ackNackFlag = { final: 0x02 } as const;
export const timestampFlag = { invalid: 0x02 } as const;

/** A sample: its content, or the end of an instance (then `statusInfo` has bits). */
export interface Data {
  readonly kind: 'data';
  readonly reader: EntityId;
  readonly writer: EntityId;
  readonly sequence: number;
  /** The parameters beside the content, by their identifiers; empty if there are none. */
  readonly inlineQos: ReadonlyMap<number, Uint8Array>;
  /** The content is only a key. */
  readonly isKey: boolean;
  /** With the four bytes that state how it is encoded; empty if there is none. */
  readonly payload: Uint8Array;
}

/** A part of a sample that is larger than a datagram. */
export interface DataFragment {
  readonly kind: 'dataFragment';
  readonly reader: EntityId;
  readonly writer: EntityId;
  readonly sequence: number;
  /** Number of the first fragment in this submessage, from 1. */
  readonly first: number;
  readonly fragments: number;
  /** Bytes of every fragment but the last one. */
  readonly fragmentBytes: number;
  readonly sampleBytes: number;
  readonly payload: Uint8Array;
}

/** The samples that a writer has. A reader answers unless it is final. */
export interface Heartbeat {
  readonly kind: 'heartbeat';
  readonly reader: EntityId;
  readonly writer: EntityId;
  readonly first: number;
  /** `first` − 1 if it has none. */
  readonly last: number;
  readonly count: number;
  readonly isFinal: boolean;
}

/** What a reader has (all samples below the base) and what it lacks. A writer answers with a heartbeat unless it is final. */
export interface AckNack {
  readonly kind: 'ackNack';
  readonly reader: EntityId;
  readonly writer: EntityId;
  readonly missing: NumberSet;
  readonly count: number;
  readonly isFinal: boolean;
}

/** Fragments that a reader lacks. */
export interface NackFragment {
  readonly kind: 'nackFragment';
  readonly reader: EntityId;
  readonly writer: EntityId;
  readonly sequence: number;
  readonly missing: NumberSet;
  readonly count: number;
}

/** Samples that will not come: those from `first` up to the base of the list, and those in the list. */
export interface Gap {
  readonly kind: 'gap';
  readonly reader: EntityId;
  readonly writer: EntityId;
  readonly first: number;
  readonly list: NumberSet;
}

/** For whom the following submessages are; undefined for everybody. */
export interface InfoDestination {
  readonly kind: 'infoDestination';
  readonly prefix: GuidPrefix | undefined;
}

/** From whom the following submessages are. */
export interface InfoSource {
  readonly kind: 'infoSource';
  readonly prefix: GuidPrefix;
}

/** When the following samples were written: µs since 1970; undefined if the writer does not say. */
export interface InfoTimestamp {
  readonly kind: 'infoTimestamp';
  readonly time: number | undefined;
}

export type Submessage =
  | Data
  | DataFragment
  | Heartbeat
  | AckNack
  | NackFragment
  | Gap
  | InfoDestination
  | InfoSource
  | InfoTimestamp;
