/** What a demonstration tells at this moment, for the bar of the page. */
export type StoryState = {
  title: string;
  /** What happens, and why it matters. */
  text: string;
  /** The page that shows it. */
  page: string;
  guide: string | null;
  step: number;
  steps: number;
  paused: boolean;
};

export const storyActions = ['play', 'pause', 'next', 'restart'] as const;
export type StoryAction = (typeof storyActions)[number];

export type Story = { state(): StoryState; act(action: StoryAction): void };
