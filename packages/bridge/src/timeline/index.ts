/** @packageDocumentation @internal */

export { timeNow } from './clock.js';
export { Timeline } from './timeline.js';
export type {
  ConnectionClosed,
  ConnectionOpened,
  ConnectionProtocol,
  Direction,
  EventPassed,
  FaultHappened,
  Finding,
  LegacyPassed,
  RequestPassed,
  ResponsePassed,
  StreamName,
  TelegramPassed,
  TimelineEntry,
  UnkeptBody,
} from './timeline-entry.js';
