export { Time as default } from '../time/time.js';
