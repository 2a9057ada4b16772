import { imuDataOutput, shortestFloat32 } from '@azimuth/model';
import type { TelegramTime } from '../measuring/telegram-time.js';
import { computed, type Room } from '../room.js';
import type { Imu } from './imu.js';

const { ImuDataEnable, ImuDataEthSettings, InertialMeasurementUnit } = imuDataOutput.members;

/** How the scanner moves. The stream goes out over a wire, as ImuDataEnable and ImuDataEthSettings say. */
export function imuDataOutputRoom(imu: Imu, telegramTime: TelegramTime): Room {
  return {
    heeds: [ImuDataEnable, ImuDataEthSettings],
    computed: [
      computed(InertialMeasurementUnit, () => {
        const { motion, time } = imu.reading;
        return {
          Acceleration: motion.acceleration.map(shortestFloat32),
          AngularVelocity: motion.angularVelocity.map(shortestFloat32),
          Orientation: motion.orientation.map(shortestFloat32),
          TimeStamp: time + telegramTime.offsetAt(time),
        };
      }),
    ],
  };
}
