// What `npm test` tries with some editions, with all of them.
process.env.AZIMUTH_EDITIONS = 'all';
await import('../../editions/backup.test.js');
await import('../../editions/endpoints.test.js');
await import('../../editions/values.test.js');
