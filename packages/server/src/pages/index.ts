/** @packageDocumentation @internal */

export { contentAt, isOwnPage, sendOwnPage } from './own-pages.js';
