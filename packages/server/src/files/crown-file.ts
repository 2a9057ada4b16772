export { answerNotBuilt as answerCrownFile } from './not-built.js';
