// What `npm test` tries with some editions, with all of them.
process.env.AZIMUTH_EDITIONS = 'all';
await import('../../openapi/responses.test.js');
await import('../../openapi/browser.test.js');
await import('../../openapi/defaults.test.js');
await import('../../openapi/asyncapi.test.js');
await import('../../openapi/served.test.js');
await import('../../openapi/validity.test.js');
