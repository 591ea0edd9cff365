/** The current step of a demo, for the bar of the page. */
export type StoryState = {
  title: string;
  /** What happens, and why it matters. */
  text: string;
  /** The page that shows it. */
  page: string;
  /** The guide about it. */
  guide: { title: string; href: string } | null;
  step: number;
  steps: number;
  paused: boolean;
};

export const storyActions = ['play', 'pause', 'next', 'restart'] as const;
export type StoryAction = (typeof storyActions)[number];

/** The steps of a demonstration; `guide` is the path of a document below the documentation. */
export type Story = {
  state(): Omit<StoryState, 'guide'> & { guide: string | null };
  act(action: StoryAction): void;
  /** The text of a document; null if this installation does not have it. */
  document(path: string): string | null;
};
