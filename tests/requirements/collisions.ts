import { rules } from './rules.ts';

export const collisions = [
  ...rules('contract-3 8', {
    'overlap:listed': 'GET /api/overlaps lists the paths that two live trees of a repository change, with its trees.',
    'overlap:lines': 'Hunks that touch make an overlap `same_lines`; else it is `same_file`.',
    'overlap:behind': 'A path of a tree that the default branch has changed since is `behind`.',
    'overlap:ends': 'An overlap is gone once one of the two trees no longer changes the path.',
    'overlap:filters': '`?repository=` and `?ref=` narrow GET /api/overlaps.',
    'overlap:mcp': 'list_overlaps answers the same.',
    'overlap:hosts': 'Trees of two hosts overlap by the name of their repository.',
    'overlap:truncated': 'A tree that is cut at the bound of changed paths has `changesTruncated: true`.',
    'overlap:told-claim': 'The answer to claim_node carries at most 5 `overlaps`, and `overlapsTotal`.',
    'overlap:told-report': 'The answer to report_node carries `overlaps` with the ref or branch of the other.',
    'overlap:need': 'An overlap of lines is a need in GET /api/needs.',
    'overlap:counts': 'Node, session and tree carry `overlaps`, a count.',
    'overlap:hub': 'The hub sends `overlap_changed`.',
    'overlap:hook': 'POST /api/agents/hooks answers an edit of a contested file with a warning, and never denies it.',
    'overlap:never-writes': 'Nothing is written into a tree or repository that is looked at.',
  }),
];
