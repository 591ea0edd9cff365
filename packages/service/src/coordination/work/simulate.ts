import { z } from 'zod';
import type { Task } from '../../event-loop/task.ts';
import type { NodeKey } from '../../kernel/streams.ts';
import { refKey } from '../plans/refs.ts';
import { type Play, type PlayedNode, playScene } from './simulated-play.ts';
import {
  completeScene,
  keyOfSceneNode,
  refOfSceneNode,
  type Scene,
  type SceneNode,
  splitInScene,
} from './simulation-scene.ts';

export const simulationOptions = {
  agents: z.int().min(1).max(1_000).optional().describe('How many agents work at once; default 4'),
  minutes: z.number().positive().max(100_000).optional().describe('For a node without an estimate; default 60'),
  failing: z.number().min(0).max(0.95).optional().describe('Fraction of attempts that fail, 0 to 0.95; default 0'),
  proofMinutes: z.number().min(0).max(100_000).optional().describe('From submission to proof; default 0'),
  brief: z.boolean().optional().describe('Skip other numbers of agents and splits, which take most of the time'),
  seed: z.int().optional().describe('Seed of the random failures'),
};
export type SimulationOptions = z.output<z.ZodObject<typeof simulationOptions>>;

const fleet = z.object({ agents: z.int(), endsAt: z.string().nullable(), idleMinutes: z.number() });

export const simulation = z.object({
  plan: z.string(),
  agents: z.int(),
  startsAt: z.string(),
  endsAt: z.string().nullable().describe('When half of the simulations have ended; null if some nodes are never done'),
  likely: z
    .object({ plays: z.int(), endsBy90: z.string().nullable() })
    .nullable()
    .describe('When nine of ten simulations have ended; null if no attempt can fail'),
  openNodes: z.int(),
  workMinutes: z.number(),
  idleMinutes: z.number(),
  idle: z.array(z.object({ from: z.string(), to: z.string(), agents: z.int() })),
  path: z
    .array(
      z.object({
        ref: z.string(),
        title: z.string(),
        startsAt: z.string(),
        endsAt: z.string(),
        minutes: z.number(),
        waitedMinutes: z.number().describe('How long it waits for a free agent after its dependencies are done'),
      }),
    )
    .describe('The critical path: each began when the one before it was done'),
  splits: z
    .array(
      z.object({
        ref: z.string(),
        title: z.string(),
        minutes: z.number(),
        endsAt: z.string(),
        savesMinutes: z.number(),
      }),
    )
    .describe('The time saved by splitting a node in two, best first'),
  fleets: z.array(fleet).describe('The result with fewer and with more agents'),
  nodes: z.array(
    z.object({
      ref: z.string(),
      agent: z.int(),
      startsAt: z.string(),
      endsAt: z.string(),
      provenAt: z.string(),
      tries: z.int(),
    }),
  ),
  stuck: z.array(z.object({ ref: z.string(), status: z.string(), waitsFor: z.array(z.string()) })),
  assumed: z.object({ minutes: z.number(), withoutEstimate: z.int(), withoutProof: z.int() }),
});
export type Simulation = z.output<typeof simulation>;

/** How many nodes of the critical path are tried as two halves, longest first. */
const mostSplits = 8;
const shownSplits = 3;
/** The total number of simulated nodes if attempts may fail. */
const nodesOverAllPlays = 20_000;

const never = () => false;
const minutesOf = (ms: number): number => Math.round(ms / 6_000) / 10;
const iso = (at: number): string => new Date(at).toISOString();
const isoOrNull = (at: number | null): string | null => (at === null ? null : iso(at));

/** Simulates a plan with a fleet of agents: when it ends, who is idle when, the critical path, and which node to split first. */
export function* simulate(given: Scene, options: SimulationOptions): Task<Simulation> {
  const { agents = 4, minutes = 60, failing = 0, proofMinutes = 0, seed = 1, brief = false } = options;
  const scene = completeScene(given, minutes);
  const play = (of: Scene, fleetOf: number, fails: (key: NodeKey, tries: number) => boolean = never) =>
    playScene(of, { agents: fleetOf, proofMinutes, fails });
  const sure = yield* play(scene, agents);
  const plays = failing === 0 ? [sure] : yield* playsByChance(scene, { agents, failing, proofMinutes, seed });
  const shown = plays[Math.floor((plays.length - 1) / 2)] ?? sure;
  const path = criticalPath(scene, shown);
  const refs = new Map(scene.nodes.map((node) => [keyOfSceneNode(node), refOfSceneNode(node)]));
  return {
    plan: scene.slug,
    agents,
    startsAt: iso(shown.startedAt),
    endsAt: isoOrNull(shown.endedAt),
    likely:
      failing === 0
        ? null
        : { plays: plays.length, endsBy90: isoOrNull(plays[Math.ceil(plays.length * 0.9) - 1]?.endedAt ?? null) },
    openNodes: scene.nodes.length,
    workMinutes: scene.nodes.reduce((sum, { document }) => sum + (document.estimateMinutes ?? 0), 0),
    idleMinutes: idleMinutesOf(shown),
    idle: idleSpans(shown),
    path: path.map(({ played, node, waitedMs }) => ({
      ref: refOfSceneNode(node),
      title: node.document.title ?? node.document.id,
      startsAt: iso(played.startedAt),
      endsAt: iso(played.provenAt),
      minutes: minutesOf(played.provenAt - played.startedAt),
      waitedMinutes: minutesOf(waitedMs),
    })),
    splits: brief ? [] : yield* trySplits(scene, sure, (of) => play(of, agents)),
    fleets: brief ? [] : yield* playFleets(scene, sure, agents, play),
    nodes: [...shown.nodes.values()].map(({ key, agent, startedAt, endedAt, provenAt, tries }) => ({
      ref: refs.get(key) ?? key,
      agent,
      startsAt: iso(startedAt),
      endsAt: iso(endedAt),
      provenAt: iso(provenAt),
      tries,
    })),
    stuck: stuckIn(scene, shown),
    assumed: {
      minutes,
      withoutEstimate: given.nodes.filter(({ document }) => (document.estimateMinutes ?? null) === null).length,
      withoutProof: given.nodes.filter(({ document }) => (document.binding ?? null) === null).length,
    },
  };
}

type Chances = { agents: number; failing: number; proofMinutes: number; seed: number };

/** Many simulations, those that end soonest first; those that never end come last. */
function* playsByChance(scene: Scene, { agents, failing, proofMinutes, seed }: Chances): Task<Play[]> {
  const count = Math.max(5, Math.min(101, Math.floor(nodesOverAllPlays / Math.max(1, scene.nodes.length))));
  const plays: Play[] = [];
  for (let number = 0; number < count; number += 1) {
    const fails = (key: NodeKey, tries: number) => chance(`${seed} ${number} ${key} ${tries}`) < failing;
    plays.push(yield* playScene(scene, { agents, proofMinutes, fails }));
  }
  return plays.sort((a, b) => (a.endedAt ?? Number.POSITIVE_INFINITY) - (b.endedAt ?? Number.POSITIVE_INFINITY));
}

/** From 0 to 1, equal for equal texts, so the chance of an attempt does not depend on the order of attempts. */
function chance(text: string): number {
  let hash = 2_166_136_261;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 16_777_619);
  hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}

type PlayWith = (scene: Scene, agents: number) => Task<Play>;

/** With one agent, two, four and so on, until more agents would not finish sooner. */
function* playFleets(scene: Scene, asked: Play, agents: number, play: PlayWith): Task<Simulation['fleets']> {
  const all = yield* play(scene, Math.max(1, scene.nodes.length));
  const sizes = new Set([agents, all.mostBusy]);
  for (let size = 1; size < all.mostBusy; size *= 2) sizes.add(size);
  const fleets: Simulation['fleets'] = [];
  for (const size of [...sizes].filter((each) => each > 0).sort((a, b) => a - b)) {
    const played = size === agents ? asked : yield* play(scene, size);
    fleets.push({ agents: size, endsAt: isoOrNull(played.endedAt), idleMinutes: idleMinutesOf(played) });
  }
  return fleets;
}

type PathStep = { played: PlayedNode; node: SceneNode; waitedMs: number };

/** Starts at the node that was done last, and goes back each time to the dependency it waited for longest. */
function criticalPath(scene: Scene, { nodes, startedAt }: Play): PathStep[] {
  const known = new Map(scene.nodes.map((node) => [keyOfSceneNode(node), node]));
  const last = (played: readonly PlayedNode[]) =>
    played.reduce<PlayedNode | undefined>(
      (most, each) => (most && most.provenAt >= each.provenAt ? most : each),
      undefined,
    );
  const path: PathStep[] = [];
  for (let played = last([...nodes.values()]); played !== undefined; ) {
    const node = known.get(played.key);
    if (!node) break;
    const before = last(node.document.dependsOn.flatMap((ref) => nodes.get(refKey(ref, node.plan)) ?? []));
    path.unshift({ played, node, waitedMs: Math.max(0, played.startedAt - (before?.provenAt ?? startedAt)) });
    played = before;
  }
  return path;
}

/** The long nodes of the critical path that nobody has begun, each as two halves. */
function* trySplits(scene: Scene, sure: Play, play: (scene: Scene) => Task<Play>): Task<Simulation['splits']> {
  if (sure.endedAt === null) return [];
  const splits: Simulation['splits'] = [];
  const longest = criticalPath(scene, sure)
    .filter(({ node }) => node.begun === null)
    .sort((a, b) => (b.node.document.estimateMinutes ?? 0) - (a.node.document.estimateMinutes ?? 0));
  for (const { node } of longest.slice(0, mostSplits)) {
    const { endedAt } = yield* play(splitInScene(scene, keyOfSceneNode(node)));
    if (endedAt === null || endedAt >= sure.endedAt) continue;
    splits.push({
      ref: refOfSceneNode(node),
      title: node.document.title ?? node.document.id,
      minutes: node.document.estimateMinutes ?? 0,
      endsAt: iso(endedAt),
      savesMinutes: minutesOf(sure.endedAt - endedAt),
    });
  }
  return splits.sort((a, b) => b.savesMinutes - a.savesMinutes).slice(0, shownSplits);
}

function idleSpans({ idle, endedAt, nodes }: Play): Simulation['idle'] {
  const end = endedAt ?? Math.max(...[...nodes.values()].map(({ provenAt }) => provenAt), idle.at(-1)?.at ?? 0);
  return idle.flatMap(({ at, agents }, index) => {
    const until = Math.min(idle[index + 1]?.at ?? end, end);
    return agents > 0 && until > at ? [{ from: iso(at), to: iso(until), agents }] : [];
  });
}

const idleMinutesOf = (play: Play): number =>
  minutesOf(
    idleSpans(play).reduce((sum, { from, to, agents }) => sum + (Date.parse(to) - Date.parse(from)) * agents, 0),
  );

function stuckIn(scene: Scene, { left }: Play): Simulation['stuck'] {
  const known = new Map(scene.nodes.map((node) => [keyOfSceneNode(node), node]));
  const open = new Set(left.map(({ key }) => key));
  return left.flatMap(({ key, status }) => {
    const node = known.get(key);
    if (!node) return [];
    const waitsFor = node.document.dependsOn.filter((ref) => {
      const on = refKey(ref, node.plan);
      return open.has(on) || !known.has(on);
    });
    return [{ ref: refOfSceneNode(node), status, waitsFor }];
  });
}
