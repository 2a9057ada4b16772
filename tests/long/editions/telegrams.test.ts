// What `npm test` tries with some editions, with all of them.
process.env.AZIMUTH_EDITIONS = 'all';
await import('../../legacy/telegrams/every-telegram.test.js');
