export { TemperatureModel } from './temperature-model.js';
export { VirtualHost } from './virtual-host.js';
export { usualCore, usualScene, virtualControls } from './virtual-scanner.js';
