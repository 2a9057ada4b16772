export { answerNotBuilt as answerParameterBackup } from './not-built.js';
