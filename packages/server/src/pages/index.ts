/** @packageDocumentation @internal */

export { guiFolder } from './gui-folder.js';
export { contentAt, isOwnPage, sendOwnPage } from './own-pages.js';
