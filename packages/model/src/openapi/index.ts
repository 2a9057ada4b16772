/** @packageDocumentation @experimental */

export type { OpenApiDocument, Operation, PathItem } from './document.js';
export { openApi } from './open-api.js';
