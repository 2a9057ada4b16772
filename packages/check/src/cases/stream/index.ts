import type { Area } from '../case.js';
import { compactCases } from './compact.js';
import { contentCases } from './content.js';
import { deliveryCases } from './delivery.js';
import { encoderCases } from './encoder.js';
import { imuCases } from './imu.js';
import { msgpackCases } from './msgpack.js';
import { orderCases } from './order.js';
import { profileCases } from './profiles.js';

/** The data streams on the wire. */
export const streamArea: Area = {
  name: 'stream',
  title: 'Data streams',
  cases: () => [
    // First those that say whether anything comes at all: without it, all others fail, too.
    ...deliveryCases,
    ...compactCases,
    ...orderCases,
    ...contentCases,
    ...profileCases,
    ...msgpackCases,
    ...imuCases,
    ...encoderCases,
  ],
};
