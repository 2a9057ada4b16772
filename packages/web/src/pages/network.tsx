export { Network as default } from '../network/network.js';
