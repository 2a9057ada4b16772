/** @packageDocumentation @experimental */

export { contentAt, isOwnPage, sendOwnPage } from './own-pages.js';
