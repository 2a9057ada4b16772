export { Visit as default } from '../visit/visit.js';
