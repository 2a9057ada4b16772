export { type Missing, missingOf } from './missing.js';
export { notBuiltPage } from './not-built-page.js';
