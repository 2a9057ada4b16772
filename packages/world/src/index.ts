export { TemperatureModel } from './temperature-model.js';
export { usualCore, usualScene } from './usual-core.js';
export { VirtualHost } from './virtual-host.js';
