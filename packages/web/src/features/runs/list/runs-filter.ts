import { useSearchParam } from '../../../ui/use-search-param.ts';

/** The filters of the list of runs, in the form of the request to the service. */
export type RunsFilter = {
  search?: string;
  state?: 'running';
  failed?: true;
  tag?: string;
  suite?: string;
  repository?: string;
};

export type Which = 'all' | 'live' | 'failed';
export type Grouping = 'time' | 'suite';

type Words = Readonly<Record<'q' | 'which' | 'tag' | 'suite' | 'repository', string | null>>;

export const whichOf = (word: string | null): Which => (word === 'live' || word === 'failed' ? word : 'all');

/** Reads the filters from the address. */
export function filterOf({ q, which, tag, suite, repository }: Words): RunsFilter {
  return {
    ...(q?.trim() && { search: q.trim().slice(0, 200) }),
    ...(which === 'live' && { state: 'running' as const }),
    ...(which === 'failed' && { failed: true as const }),
    ...(tag && { tag }),
    ...(suite && { suite }),
    ...(repository && { repository }),
  };
}

/** The filters of the list of runs. They are in the address, so that every view can be shared. */
export function useRunsFilter() {
  const [q, setText] = useSearchParam('q');
  const [which, setWhich] = useSearchParam('which');
  const [tag, setTag] = useSearchParam('tag');
  const [suite, setSuite] = useSearchParam('suite');
  const [repository, setRepository] = useSearchParam('repository');
  const [by, setBy] = useSearchParam('by');
  const filter = filterOf({ q, which, tag, suite, repository });
  // Suites have no tags, so the runs of a tag are always shown by time.
  const grouping: Grouping = by === 'suite' && !tag ? 'suite' : 'time';
  return {
    filter,
    isNarrowed: Object.keys(filter).length > 0,
    text: q ?? '',
    setText,
    which: whichOf(which),
    setWhich: (to: Which) => setWhich(to === 'all' ? null : to),
    grouping,
    setGrouping: (to: Grouping) => setBy(to === 'time' ? null : to),
    dropTag: () => setTag(null),
    dropSuite: () => {
      setSuite(null);
      setRepository(null);
    },
    clear: () => {
      for (const drop of [setText, setWhich, setTag, setSuite, setRepository]) drop(null);
    },
  };
}
export type RunsFilterControls = ReturnType<typeof useRunsFilter>;
