export { notBuiltPage } from './not-built-page.js';
