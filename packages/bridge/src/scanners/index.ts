/** @packageDocumentation @internal */

export { BridgeLogin } from './bridge-login.js';
export {
  type BridgedScanner,
  type BridgedStream,
  type ReceiveMeans,
  topicNamesOf,
} from './bridged-scanner.js';
export { receiveLiveScans } from './live-scans.js';
