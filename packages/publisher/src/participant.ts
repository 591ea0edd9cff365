import type { Settings } from './environment.ts';
import type { ParticipantFinished, ParticipantStarted } from './events.ts';

type Started = Omit<ParticipantStarted, 'runId'>;
type Finished = Omit<ParticipantFinished, 'runId'>;

/** The participant events of this process; null if it is the only one of its run. */
export type Participant = {
  name: string;
  started(totalScenarios: number | null, at: string): Started;
  finished(figures: Omit<Finished, 'type' | 'participant' | 'at'>, at: string): Finished;
};

/** A run with a given id may have other participants; a shard states how many. */
export function participantOf(settings: Settings, tool: string): Participant | null {
  const { shard } = settings;
  if (settings.runId === null) return null;
  const name = shard ? `${tool} ${shard.index}/${shard.count}` : `${tool} ${process.pid}`;
  const due = shard?.count ?? null;
  return {
    name,
    started: (totalScenarios, at) => ({
      type: 'participant_started',
      participant: name,
      due,
      totalScenarios,
      processId: process.pid,
      at,
    }),
    finished: (figures, at) => ({ type: 'participant_finished', participant: name, ...figures, at }),
  };
}
