export { Overview as default } from '../overview/overview.js';
