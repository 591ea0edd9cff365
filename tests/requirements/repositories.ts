import { rules } from './rules.ts';

export const repositories = [
  ...rules('interface §4, contract 7', {
    'repositories:list': 'GET /api/repositories lists the repositories.',
    'repositories:one': 'GET /api/repositories/{owner}/{name} answers one repository.',
    'repositories:authoring-mcp-only':
      'Registering, declaring and note-taking exist as MCP tools and have no REST route.',
  }),
  ...rules('contract 7', {
    'repositories:members': 'A repository has all the members that the contract lists.',
    'repositories:unknown-404': 'An unknown repository answers 404 `repository_not_found`.',
    'repositories:detail-notes': 'One repository shows its notes with id, topic, text, by, at and supersededBy.',
    'repositories:suggestions':
      'One repository suggests the edges that its published and consumed packages imply, with why.',
    'repositories:suggestions-add-nothing': 'A suggested edge is never added by itself.',
    'repositories:listed-by-node': 'A repository that only a plan node names is listed with `registeredAt: null`.',
    'repositories:listed-by-tree': 'A repository that only an observed tree names is listed with `registeredAt: null`.',
    'repositories:listed-by-note': 'A repository that only a note names is listed with `registeredAt: null`.',
    'repositories:register': 'register_repository records description, url, defaultBranch and paths.',
    'repositories:declare': 'declare_repository records publishes, consumes and suites.',
    'repositories:declare-replaces-named': 'A declaration replaces what it names and leaves the rest.',
    'notes:add': 'note_repository adds a note and loses none.',
    'notes:unregistered': 'A note can be added to a repository that is not registered.',
    'notes:supersede': 'A note that supersedes another marks the older one with `supersededBy`.',
    'notes:unknown-supersedes-404': 'A note that supersedes an unknown one answers 404 `note_not_found`.',
    'memory:search': 'search_notes and GET /api/memory?q= find notes and claim notes, best first.',
    'memory:superseded-last': 'Superseded notes come last in a search.',
    'memory:members': 'A search hit has kind, repository, ref, id, topic, text, by, at and supersededBy.',
    'memory:narrowed': 'A search with owner and name answers only notes of that repository.',
  }),
] as const;
