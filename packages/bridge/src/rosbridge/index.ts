/** @packageDocumentation @internal */

export {
  type Publication,
  publications,
  RosbridgeBridge,
  type RosbridgeBridgeOptions,
} from './rosbridge-bridge.js';
