import type { Story, StoryAction } from '../../kernel/story.ts';

export type Beat = {
  atSeconds: number;
  title: string;
  text: string;
  guide: string | null;
  /** Performs the beat; returns the page that shows it. */
  play(): Promise<string>;
};

type Options = {
  beats: readonly Beat[];
  lengthSeconds: number;
  /** Advances long-running parts, such as a test run. */
  advance(ms: number): Promise<void>;
};

/** Plays a story by its own clock, which can pause and jump to the next beat. */
export class StoryPlayer implements Omit<Story, 'document'> {
  readonly #options: Options;
  #elapsedMs = 0;
  /** The time skipped by single steps; long-running parts are advanced by the same amount. */
  #skippedMs = 0;
  #next = 0;
  /** The beats that were played to their end: a viewer follows to the page of the last one. */
  #shown = 0;
  #page = '/';
  #paused = false;
  #restart = false;

  constructor(options: Options) {
    this.#options = options;
  }

  state(): ReturnType<Story['state']> {
    const { beats } = this.#options;
    const beat = beats[Math.max(0, this.#shown - 1)];
    const { title = '', text = '', guide = null } = beat ?? {};
    return { title, text, guide, page: this.#page, step: this.#shown, steps: beats.length, paused: this.#paused };
  }

  act(action: StoryAction): void {
    if (action === 'pause') this.#paused = true;
    if (action === 'play') this.#paused = false;
    if (action === 'restart') this.#restart = true;
    if (action !== 'next') return;
    this.#skippedMs += Math.max(0, this.#dueMs() - this.#elapsedMs);
    this.#elapsedMs = this.#dueMs();
  }

  /** True once the story has ended or should restart. */
  get isOver(): boolean {
    return this.#restart || this.#elapsedMs >= this.#options.lengthSeconds * 1_000;
  }

  /** Plays the beats that are due after more time. A requested step is played even during a pause. */
  async advance(ms: number): Promise<void> {
    const passedMs = this.#skippedMs + (this.#paused ? 0 : ms);
    this.#skippedMs = 0;
    if (!this.#paused) this.#elapsedMs += ms;
    if (passedMs > 0) await this.#options.advance(passedMs);
    while (this.#next < this.#options.beats.length && this.#elapsedMs >= this.#dueMs()) {
      const beat = this.#options.beats[this.#next];
      this.#next += 1;
      if (beat) this.#page = await beat.play();
      this.#shown = this.#next;
    }
  }

  #dueMs(): number {
    const { beats, lengthSeconds } = this.#options;
    return (beats[this.#next]?.atSeconds ?? lengthSeconds) * 1_000;
  }
}
