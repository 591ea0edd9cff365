import { rules } from './rules.ts';

export const agents = [
  ...rules('interface §4, contract 5', {
    'agents:board':
      'GET /api/agents answers every session, every working tree and the claims without a linked session.',
    'agents:one': 'GET /api/agents/{sessionId} answers that session.',
  }),
  ...rules('interface §3, contract 5', {
    'health:held': 'A claim whose session is running is `held`.',
    'health:stalled': 'A claim whose session is alive but idle is `stalled`.',
    'health:orphaned': 'A claim whose session is gone is `orphaned` until the lease ends.',
    'health:orphaned-reason': 'An orphaned claim carries the stop cause of the session as its reason.',
    'health:unknown': 'A claim whose linked session cannot be judged is `unknown`.',
    'health:unlinked': 'A claim without a linked session is `unlinked`.',
    'link:strong': 'A claim with a supplied session has `correlation: "strong"`.',
    'link:inferred':
      'A claim without a session is linked, `inferred`, to the single live session of the repository of the node.',
    'link:several-sessions-unlinked':
      'While two or more live sessions share the repository the claim reads `unlinked`.',
    'tree:contested': 'A tree with more than one live session is `contested`.',
    'tree:needs-cleanup':
      'A tree under `.claude/worktrees` that is on disk and whose sessions are all gone has `needsCleanup`.',
  }),
  ...rules('interface §3', {
    'health:marks-never-releases': 'The service marks a claim and never releases it, whatever its session does.',
    'health:stalled-is-still-a-claim':
      'A stalled claim remains a claim until the lease ends or the holder releases it.',
    'health:unlinked-is-plain-lease': 'An unlinked claim behaves as a plain lease.',
  }),
  ...rules('interface §2, contract 5', {
    'tree:by-git-root': 'Sessions with the same git root above their cwd form one working tree.',
    'tree:worktree-is-own-root': 'A git worktree is a tree of its own.',
  }),
  ...rules('interface §1, contract 5', {
    'observe:never-writes-or-kills':
      'Nothing is written under the directory of an agent and no signal but 0 is sent to a process.',
  }),
  ...rules('contract 5', {
    'agents:board-members': 'The board has sessions, trees, unlinkedClaims, ambiguous, observedAt and sources.',
    'agents:since': 'GET /api/agents with `since` leaves out sessions that are older.',
    'agents:every-session-listed': 'Every session whose file is there is listed over REST.',
    'agents:mcp-seven-days': 'list_agents narrows to the sessions of the last 7 days.',
    'agents:web-seven-days': 'The web narrows to the sessions of the last 7 days.',
    'agents:linked-session-stays': 'A session linked to a live claim stays on a narrowed board.',
    'agents:sources': '`sources` tells of each tool its path, whether it could be read and why not.',
    'agents:session-runs': 'One session lists the summaries of the runs that it started.',
    'session:members': 'A session has all the members that the contract lists.',
    'session:fixtures': 'The session fixtures come out as their expected.json says.',
    'session:codex': 'Codex CLI sessions are observed as well as those of Claude Code.',
    'session:usage':
      'A session shows model, tokens, turns and contextPercent where its tool tells them, and null where it does not.',
    'claim:tokens':
      'A release tells in `lastClaim.tokens` what its session used since the claim, when the link is strong.',
    'session:live': 'A session is live when it is running, idle, or unknown with a living process.',
    'session:waiting-is-running': 'A session that waits for a permission prompt is running with `activity: "waiting"`.',
    'session:title-given-only':
      '`title` is a name given by a person or the registry of the tool, never a generated text.',
    'session:prompts-never-served': 'Prompts, tool input and tool output are never stored, logged or served.',
    'session:tree-null-outside-git': '`tree` is null for a session outside git.',
    'session:claims': 'A session lists its claims with health, correlation and end.',
    'tree:members': 'A tree has all the members that the contract lists.',
    'tree:owners': '`owners` of a tree tells which session and agent hold which claims, and their health.',
    'tree:every-worktree-on-disk': 'Every `.claude/worktrees` directory on disk is a tree, sessions or not.',
    'tree:independent-of-filter': 'The trees of the board do not depend on `since`.',
    'tree:no-sessions-count-as-gone': 'A worktree on disk without any session has `needsCleanup`.',
    'tree:unknown-is-not-gone': 'A tree with a session of state `unknown` has no `needsCleanup`.',
    'tree:lock-suppresses-cleanup': 'A git lock held by a living process suppresses `needsCleanup`.',
    'link:strong-unobserved':
      'A claim with a supplied session that is not observed is strong with `sessionId: null` and stands in `unlinkedClaims`.',
    'link:strong-to-no-other': 'A claim with a supplied session is linked to no other session.',
    'link:repository-ignores-case': 'An inferred link compares the repository without regard to case.',
    'link:inferred-on-any-host': 'An inferred link may go to a session of any host.',
    'link:inferred-made-once': 'An inferred link is made once, never moves and is kept until the claim ends.',
    'link:inferred-survives-restart': 'An inferred link survives a restart.',
    'link:inferred-session-gone':
      'A claim whose inferred session is gone is `orphaned`, even when another one is live.',
    'link:ambiguous': 'A repository with several live sessions and an unlinked claim stands in `ambiguous`.',
    'link:two-worktrees-two-trees':
      'Two worktrees of one repository with a session each are two trees, not a contested one.',
    'reason:of-session': 'The reason of a stalled, orphaned or unknown claim is that of its session.',
    'reason:unlinked':
      'The reason of an unlinked claim is `no_session`, `session_not_observed`, `several_sessions` or `no_repository`.',
    'reason:held-null': 'The reason of a held claim is null.',
    'hooks:204-at-once': 'POST /api/agents/hooks takes the hook payload of the tool and answers 204 at once.',
    'hooks:only-sooner': 'A hook may only make a state known sooner; polling corrects a false one.',
  }),
  ...rules('contract-2 3', {
    'session:seen-process-ended': 'A session whose process was seen and has ended is `gone` at the next poll.',
    'link:candidates-at-claim':
      'An inferred link is drawn from the sessions that were live when the claim was made and fit the calling tool.',
    'link:never-to-another-session': 'A claim that is linked never moves to another session because others left.',
    'link:renewal-looks-again': 'A renewal of an unlinked claim looks for its session again.',
    'link:by-client': 'What a client says of itself in `_meta` of a call is a strong link.',
    'link:linked-by': 'A claim says where its link comes from: `argument`, `client`, `hook` or `inferred`.',
    'why:agrees-with-health': 'The `why` of a node and the health of its claim never contradict each other.',
  }),
  ...rules('interface §4, interface §7, contract 5', {
    'agents:unknown-404': 'GET /api/agents/{sessionId} of an unknown session answers 404 `session_not_found`.',
  }),
] as const;
