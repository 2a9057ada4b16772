/** @packageDocumentation @experimental */

export { TemperatureModel } from './temperature-model.js';
/** @stable */
export { usualCore, usualScene } from './usual-core.js';
/** @stable */
export { VirtualHardware } from './virtual-hardware.js';
