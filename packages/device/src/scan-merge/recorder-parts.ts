export { CloudFile } from './cloud-file.js';
export { EncoderMotion } from './encoder-motion.js';
export { ImuMotion } from './imu-motion.js';
export { longestRecording, Recording } from './recording.js';
