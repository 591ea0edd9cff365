import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

const read = (name: string) => parse(readFileSync(join(import.meta.dirname, '../../examples/observe', name), 'utf8'));

type Container = { name: string; volumeMounts: { name: string; readOnly?: boolean }[]; command?: string[] };

test('the Kubernetes examples hold together: selectors, volumes, and an observer that writes nowhere', () => {
  const pod = read('kubernetes-sidecar.yaml');
  const set = read('kubernetes-daemonset.yaml');
  expect(set.spec.selector.matchLabels).toEqual(set.spec.template.metadata.labels);
  expect([pod.apiVersion, pod.kind, set.apiVersion, set.kind]).toEqual(['v1', 'Pod', 'apps/v1', 'DaemonSet']);
  expect([pod.spec.shareProcessNamespace, set.spec.template.spec.hostPID]).toEqual([true, true]);
  for (const spec of [pod.spec, set.spec.template.spec]) {
    const volumes = spec.volumes.map(({ name }: { name: string }) => name);
    const containers: Container[] = spec.containers;
    for (const { volumeMounts } of containers) for (const { name } of volumeMounts) expect(volumes).toContain(name);
    const observer = containers.find(({ name }) => name === 'observer') ?? expect.fail('no observer');
    expect(observer.volumeMounts.every(({ readOnly }) => readOnly)).toBe(true);
    expect(observer.command).toContain('/opt/signalbox/signalbox-observe.mjs');
  }
});
