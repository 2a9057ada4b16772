export { Firmware as default } from '../firmware/firmware.js';
