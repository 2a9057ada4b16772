export { CloudFile } from './cloud-file.js';
export { EncoderMotion } from './encoder-motion.js';
export { ImuMotion } from './imu-motion.js';
export { Recording } from './recording.js';
export { longestRecording } from './recording-limit.js';
