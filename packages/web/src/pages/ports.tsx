export { Ports as default } from '../ports/ports.js';
