/** @packageDocumentation @internal */

export { type PortIdentity, PtpFlag, type PtpHeader, PtpType } from './header.js';
export type { Tlv } from './message.js';
export {
  type Announced,
  decodePtp,
  encodePtp,
  type OtherPtpMessage,
  type PtpAnnounce,
  type PtpDelayRequest,
  type PtpDelayResponse,
  type PtpFollowUp,
  type PtpMessage,
  type PtpSync,
  type PtpTime,
} from './message.js';

/** The address to which PTP messages are sent over UDP/IPv4 (IEEE 1588-2019, annex C). */
export const ptpGroup = '224.0.1.129';
