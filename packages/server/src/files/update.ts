export { answerNotBuilt as answerUpdate } from './not-built.js';
