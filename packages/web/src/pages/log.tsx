export { Log as default } from '../log/log.js';
