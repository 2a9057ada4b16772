import type { Log, Storage } from '@azimuth/device';
import type { Release } from '@azimuth/model';
import { VirtualHardware } from '@azimuth/simulation';
import { parseScene, SceneCore } from '@azimuth/simulation/world';
import { expect } from 'vitest';
import { Client, dataOf, type HttpResponse } from './client.js';
import { expectDone } from './envelope.js';
import { array, boolean, type JsonObject, number, object, parse, string } from './json.js';
import { configuration } from './port-configuration.js';
import { Setup } from './streams/virtual-scanner.js';
import { bootMilliseconds, TestScanner } from './test-scanner.js';
import { until } from './waiting.js';

/** UTC in ms at which the clock starts. */
export const epoch = Date.UTC(2026, 0, 15, 12, 0, 0);

/** Duration of a revolution at 15 Hz, and of measuring its 276°: ms. */
export const revolution = 1000 / 15;
const measuringTime = (revolution * 276) / 360;

/** Begin of a revolution, and time of its last beam: ms since the boot. The first revolution is number 0. */
export const startOf = (number: number): number => number * revolution;
export const endOf = (number: number): number => startOf(number) + measuringTime;

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A port of the scanner in the overview of the control port. */
export interface PortView {
  readonly port: number;
  readonly name: string;
  readonly type: string;
  readonly driven: boolean;
  readonly active: boolean;
}

/** The states of a port over REST. */
export interface PortStates {
  /** InputState: 0 low, 1 high, 2 none. */
  readonly input: number;
  /** OutputState: 0 low, 1 high, 2 open, or none. */
  readonly output: number;
  readonly outputCount: number;
  /** PortState: 0 output off, 1 output on, 2 neither, 3 input on, 4 input off. */
  readonly port: number;
  readonly portCount: number;
}

/** Changes of one port. Members that are not stated stay the same. */
export interface PortChange {
  readonly PortType?: number;
  readonly Name?: string;
  readonly InputSettings?: JsonObject;
  readonly OutputSettings?: JsonObject;
  readonly EncoderPortType?: number;
}

/** A source of an output in PortConfiguration. */
export const source = (Name: string, Invert = false) => ({ Name, Invert, Reserved5: 0, Reserved6: 0 });

/** A rectangular contour of a field: mm. */
export function rectangle(left: Point, right: Point): readonly Point[] {
  return [left, { x: right.x, y: left.y }, right, { x: left.x, y: right.y }];
}

const initialParameters = { PortConfiguration: configuration({}) };

interface Options {
  readonly scene?: object;
  readonly storage?: Storage;
  readonly release?: Release;
  readonly timeServerPort?: number;
}

/** A scanner in a scene, used only over REST and the control port. Time passes only on `pass` and `goTo`. */
export class SceneScanner extends Setup {
  private constructor(readonly testScanner: TestScanner) {
    super(new Client(testScanner.httpPort));
  }

  /** All ports are inputs. Noise is off unless the scene switches it on. */
  static async start({ scene = {}, ...options }: Options = {}): Promise<SceneScanner> {
    const parsed = parseScene({ noise: { enabled: false }, ...scene }, 'scene');
    let hardware: VirtualHardware | undefined;
    const dirt = { contamination: () => hardware?.contamination() ?? [] };
    const core = new SceneCore({ scene: parsed, seed: 1, dirt });
    const makeHardware = (log: Log) => {
      hardware = new VirtualHardware(log);
      return hardware;
    };
    return new SceneScanner(
      await TestScanner.start({
        core,
        hardware: makeHardware,
        controlPort: 0,
        initialParameters,
        ...options,
      }),
    );
  }

  /** ms. */
  get now(): number {
    return this.testScanner.clock.monotonic();
  }

  pass(milliseconds: number): void {
    this.testScanner.clock.advance(milliseconds);
  }

  /** Lets time pass until the clock shows this many ms. */
  goTo(time: number): void {
    if (time < this.now) throw new Error(`${time} ms are over`);
    this.pass(time - this.now);
  }

  /** Lets two revolutions pass: after the current and the next one, every change is visible. */
  revolutions(): void {
    this.pass(2 * revolution);
  }

  async control(path: string, body: object = {}): Promise<void> {
    const response = await this.#control({ method: 'POST', path, body: JSON.stringify(body) });
    expect(parse(response.text)).toEqual({ ok: true });
  }

  async overview(): Promise<JsonObject> {
    return object(parse((await this.#control({ method: 'GET', path: '/' })).text));
  }

  /** A port as the control port shows it. */
  async portView(port: number): Promise<PortView> {
    const view = object(array((await this.overview()).ports)[port - 1]);
    return {
      port: number(view.port),
      name: string(view.name),
      type: string(view.type),
      driven: boolean(view.driven),
      active: boolean(view.active),
    };
  }

  #control(request: { method: string; path: string; body?: string }): Promise<HttpResponse> {
    return new Client(this.testScanner.controlPort).send(request);
  }

  drive(port: number, high: boolean): Promise<void> {
    return this.control('/input', { port, high });
  }

  /** Moves an actor: m. */
  move(name: string, x: number, y: number): Promise<void> {
    return this.control('/actors/move', { name, x, y });
  }

  /** The data of a GET. */
  async data(name: string): Promise<JsonObject> {
    return dataOf(await this.client.get(name));
  }

  /** The response of a method. */
  async callDone(name: string, data?: unknown): Promise<JsonObject> {
    return dataOf(await this.client.call(name, data));
  }

  /** Calls a method without a response. */
  async act(name: string): Promise<void> {
    expectDone(await this.client.call(name));
  }

  /** The data of an extension under /x. */
  async extension(name: string): Promise<unknown> {
    return dataOf(await this.client.send({ method: 'GET', path: `/x/${name}` }))[name];
  }

  async define(evaluations: readonly object[], groups: readonly object[]): Promise<void> {
    expectDone(await this.tryToDefine(evaluations, groups));
  }

  async tryToDefine(evaluations: readonly object[], groups: readonly object[]): Promise<HttpResponse> {
    const header = await this.client.header('x/fields');
    const body = JSON.stringify({ header, data: { fields: { evaluations, groups } } });
    return this.client.send({ method: 'POST', path: '/x/fields', body });
  }

  async result(): Promise<{ timestamp: number; evaluations: readonly JsonObject[] }> {
    const result = object(await this.client.value('FieldEvaluationResult'));
    return {
      timestamp: number(result.Timestamp),
      evaluations: array(result.EvaluationResultList).map(object),
    };
  }

  /** The states of the first so many evaluations. */
  async states(count: number): Promise<readonly unknown[]> {
    return (await this.result()).evaluations.slice(0, count).map(({ State }) => State);
  }

  async history(): Promise<readonly JsonObject[]> {
    return array(await this.extension('history')).map(object);
  }

  /** Changes ports by their numbers from 1. The others stay the same. */
  async configure(changes: Readonly<Record<number, PortChange>>): Promise<void> {
    expectDone(await this.tryToConfigure(changes));
  }

  async tryToConfigure(changes: Readonly<Record<number, PortChange>>): Promise<HttpResponse> {
    const ports = array(await this.client.value('PortConfiguration')).map(object);
    return this.client.write(
      'PortConfiguration',
      ports.map((port, index) => {
        const change = changes[index + 1] ?? {};
        return {
          ...port,
          ...change,
          InputSettings: { ...object(port.InputSettings), ...change.InputSettings },
          OutputSettings: { ...object(port.OutputSettings), ...change.OutputSettings },
        };
      }),
    );
  }

  /** A port in InputState, OutputState and PortState. */
  async portStates(port: number): Promise<PortStates> {
    const item = async (state: string, list: string) =>
      object(array((await this.data(state))[list])[port - 1]);
    const output = await item('OutputState', 'aDigitalOut');
    const state = await item('PortState', 'aInternalPorts');
    return {
      input: number(object((await item('InputState', 'aDigitalIn')).IOState).eIOState),
      output: number(object(output.IOState).eIOState),
      outputCount: number(output.udiCounter),
      port: number(state.ePortState),
      portCount: number(state.PortCounter),
    };
  }

  /** True if an output is active. REST and the control port have to agree. */
  async isOn(port: number): Promise<boolean> {
    const { port: state } = await this.portStates(port);
    const { active, type } = await this.portView(port);
    expect(type).toBe('OUTPUT');
    expect(active).toBe(state === 1);
    return active;
  }

  /** True if an input is active. REST and the control port have to agree. */
  async isActive(port: number): Promise<boolean> {
    const { port: state } = await this.portStates(port);
    const { active, type } = await this.portView(port);
    expect(type).toBe('INPUT');
    expect(state).toBe(active ? 3 : 4);
    return active;
  }

  /** Cycles the power. Returns when the boot ended, in ms. The scanner's own clock starts there at zero. */
  async powerCycle(): Promise<number> {
    await this.control('/power-cycle');
    return this.comeUp();
  }

  async reboot(): Promise<number> {
    await this.act('RebootDevice');
    await until(() => {
      this.pass(10);
      return this.testScanner.service.ports.http === null;
    });
    return this.comeUp();
  }

  /** Waits for the end of a boot. Returns its time in ms. */
  async comeUp(): Promise<number> {
    this.pass(bootMilliseconds);
    await until(() => this.testScanner.service.ports.http !== null);
    return this.now;
  }
}
