import { deviceKinds, linkKinds } from './device-kinds.js';
import { coreKinds, measuringKinds } from './measuring-kinds.js';
import type { CheckedMembers, Written } from './member.js';
import type { triggers } from './triggers.js';
import { eventKinds, httpKinds, legacyKinds, type Occasion, streamKinds } from './wire-kinds.js';

/** All kinds of faults, by name. The check, the command, the pages and the OpenAPI are derived from them. */
export const faultKinds = {
  ...httpKinds,
  ...eventKinds,
  ...legacyKinds,
  ...streamKinds,
  ...measuringKinds,
  ...coreKinds,
  ...deviceKinds,
  ...linkKinds,
} as const;

export type FaultKind = keyof typeof faultKinds;

/** Groups of kinds by the affected part, with its name in headings. */
export const faultGroups = {
  HTTP: httpKinds,
  Events: eventKinds,
  'Legacy protocol': legacyKinds,
  'Data streams': streamKinds,
  Measuring: measuringKinds,
  'Measuring core': coreKinds,
  Device: deviceKinds,
  Link: linkKinds,
} as const;

/** Meaning of an occasion, in words. */
export const occasions: Readonly<Record<Occasion, string>> = {
  request: 'a request for the endpoint',
  excess: 'a request for the endpoint that is one too many, while nothing is silent',
  message: 'a message to a client',
  telegram: 'a telegram to a client',
  answer: 'a request of a client',
  datagram: 'a telegram of the stream',
  scan: 'a scan that is measured',
  save: 'a write of the file',
  boot: 'a boot',
  begin: 'each time that it begins',
};

type MembersOf<Kind extends FaultKind> = (typeof faultKinds)[Kind]['members'];

/** Fault after the check, with all defaults. */
export type PlannedFault<Kind extends FaultKind = FaultKind> = {
  [K in Kind]: { readonly kind: K } & CheckedMembers<typeof triggers> & CheckedMembers<MembersOf<K>>;
}[Kind];

/** Fault as somebody writes it. */
export type WrittenFault<Kind extends FaultKind = FaultKind> = {
  [K in Kind]: { readonly kind: K } & Written<typeof triggers> & Written<MembersOf<K>>;
}[Kind];

export function isFaultKind(name: unknown): name is FaultKind {
  return typeof name === 'string' && Object.hasOwn(faultKinds, name);
}
