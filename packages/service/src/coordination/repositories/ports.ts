/** A node of an active plan, with the members that repositories use. */
export type PlannedNode = {
  ref: string;
  plan: string;
  /** `owner/name`, or null if the node belongs to none. */
  repository: string | null;
  done: boolean;
  dependsOn: readonly string[];
  /** The package that proves it, or that a repository (perhaps not its own) must depend on. */
  publishes: { registry: string; name: string } | null;
  takes: { repository: string; name: string } | null;
};

export type WorkingTree = { host: string; root: string };

/** How plans and working trees refer to repositories. */
export type Mentions = {
  nodes(): Iterable<PlannedNode>;
  trees(): Iterable<WorkingTree & { repository: string | null }>;
  /** A ref in its own case, and the repository that its node belongs to. */
  locate(ref: string): { ref: string; repository: string | null };
};
