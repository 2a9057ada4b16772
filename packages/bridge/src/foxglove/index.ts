/** @packageDocumentation @internal */

export { FoxgloveBridge, type FoxgloveBridgeOptions } from './foxglove-bridge.js';
