/** The shape of everything that is event-sourced here: decisions are functions beside it, state is a fold. */
export type Decider<State, Event> = {
  initial: () => State;
  evolve: (state: State, event: Event) => State;
};

export const replay = <State, Event>(decider: Decider<State, Event>, events: Iterable<Event>): State => {
  let state = decider.initial();
  for (const event of events) state = decider.evolve(state, event);
  return state;
};
