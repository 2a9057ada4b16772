/** @packageDocumentation @experimental */

export { contentAt } from './answer-content.js';
export { isOwnPage, sendOwnPage } from './own-pages.js';
