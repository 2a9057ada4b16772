import { object, string } from '@azimuth/test-support/json';
import { describe, expect, it } from 'vitest';
import { buildPrograms } from './build.js';
import { publishing } from './ros2-scanner.js';
import { members, type Sample, Subscriber, vendors } from './subscriber.js';
import { cloud, echoes, nodes, nodesInHumble, scan, transforms } from './topics.js';

buildPrograms(
  'cyclonedds-subscriber',
  'fastdds-subscriber',
  'cyclonedds-subscriber-humble',
  'fastdds-subscriber-humble',
);

/** RIHS01 hashes as ROS 2 Jazzy has them. */
const hashes = {
  LaserScan: '64c191398013af96509d518dac71d5164f9382553fce5c1f8cca5be7924bd828',
  PointCloud2: '9198cabf7da3796ae6fe19c4cb3bdd3525492988c70522628af5daa124bae2b5',
} as const;

const publishedTopics = [scan, echoes, cloud, transforms, nodes];

describe.each(vendors)('%s', (vendor) => {
  it('finds the participant of the scanner, and its writers with type, quality of service and hash of the type', async () => {
    const { domain } = await publishing();
    const subscriber = await Subscriber.start(vendor, domain);
    const isListed = (topic: string) => subscriber.writers.some((writer) => writer.topic === topic);
    await subscriber.until(() => publishedTopics.every(({ topic }) => isListed(topic)));
    expect(subscriber.participants).toMatchObject([{ userData: expect.stringContaining('enclave=/;') }]);
    const [{ guid = '' } = {}] = subscriber.participants;
    for (const { topic, type, durability = 'volatile' } of publishedTopics) {
      const [writer, ...others] = subscriber.writers.filter((one) => one.topic === topic);
      expect(others).toEqual([]);
      expect(writer).toMatchObject({ reliability: 'reliable', durability });
      expect(writer?.type).toMatch(
        new RegExp(`^(sensor_msgs|tf2_msgs|rmw_dds_common)::msg::dds_::${type}_$`),
      );
      expect(writer?.guid.slice(0, 24)).toBe(guid.slice(0, 24));
    }
    for (const [type, hash] of Object.entries(hashes)) {
      const writer = subscriber.writers.find((one) => one.type.endsWith(`::${type}_`));
      expect(writer?.userData).toBe(`typehash=RIHS01_${hash};`);
    }
  });

  it('gets the transform and the node although both were sent before it came', async () => {
    const { domain } = await publishing({ values: { rosFrameId: 'front', rosParentFrameId: 'base_link' } });
    // Somebody has already received what was sent at the start.
    const first = await Subscriber.start('cyclonedds', domain, [transforms, nodes, scan]);
    await first.next(1, 2);
    await first.until(() => first.samples(0).length > 0 && first.samples(1).length > 0);
    const late = await Subscriber.start(vendor, domain, [transforms, nodes]);
    await late.until(() => late.samples(0).length > 0 && late.samples(1).length > 0);
    const [transform] = members(late.samples(0).at(-1)?.content.transforms);
    expect(transform).toMatchObject({ frame: 'base_link', child: 'front' });
    expect(late.samples(0).at(-1)?.content.transforms).toEqual(first.samples(0).at(-1)?.content.transforms);
    const node = late.samples(1).at(-1);
    if (node === undefined) throw new Error('gone');
    await expectNode(node, late);
  });

  it('gets the node as ROS 2 Humble and as later releases expect it, both at the same time', async () => {
    const { domain } = await publishing();
    const later = await Subscriber.start(vendor, domain, [nodes]);
    const humble = await Subscriber.start(vendor, domain, [nodesInHumble], { isHumble: true });
    await Promise.all(
      [later, humble].map((subscriber) => subscriber.until(() => subscriber.samples().length > 0)),
    );
    const [expected] = later.samples();
    if (expected === undefined) throw new Error('gone');
    await expectNode(expected, later);
    expect(humble.samples()[0]?.content).toEqual(asInHumble(expected));
  });
});

/** Eight zeros more behind each GUID. */
function asInHumble({ content }: Sample) {
  const longer = (guid: unknown) => `${string(guid)}${'00'.repeat(8)}`;
  const [node] = members(content.nodes);
  const { count, ...writers } = object(node?.writers);
  const listed = Object.fromEntries(Object.entries(writers).map(([at, guid]) => [at, longer(guid)]));
  return { gid: longer(content.gid), nodes: [{ ...node, writers: { count, ...listed } }] };
}

/** The node has the writers that its participant announces, but not that of the node's own description. */
async function expectNode({ content }: Sample, subscriber: Subscriber): Promise<void> {
  expect(subscriber.participants.map(({ guid }) => guid)).toContain(content.gid);
  const [node, ...others] = members(content.nodes);
  expect(others).toEqual([]);
  expect(node).toMatchObject({ namespace: '/', readers: { count: 0 } });
  expect(node?.name).toMatch(/^[a-z][a-z0-9_]*$/);
  const { count, ...listed } = object(node?.writers);
  const prefix = string(content.gid).slice(0, 24);
  const announced = () =>
    subscriber.writers.filter(({ guid, topic }) => guid.startsWith(prefix) && topic !== nodes.topic);
  await subscriber.until(() => announced().length === count);
  expect(
    announced()
      .map(({ guid }) => guid)
      .sort(),
  ).toEqual(Object.values(listed).map(string).sort());
}
