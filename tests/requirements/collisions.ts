import { rules } from './rules.ts';

export const collisions = [
  ...rules('contract-3 8', {
    'overlap:listed': 'GET /api/overlaps lists the paths that two live trees of a repository change, with its trees.',
    'overlap:lines': 'Hunks that touch make an overlap `same_lines`; else it is `same_file`.',
    'overlap:behind': 'A path of a tree that the default branch has changed since is `behind`.',
    'overlap:case': 'Where a file system ignores case, two spellings of a path are one file.',
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
    'foretold:members': 'A node takes `touches` and `uses`, in documents and one by one, and gives them back.',
    'foretold:uses-passed': 'claim_next passes by a node whose `uses` a live claim has, over all plans.',
    'foretold:uses-host': '`port:` and `browser` are compared per host where the host of the claim is known.',
    'foretold:touches-preferred': 'claim_next prefers a node whose `touches` meets no live claim.',
    'foretold:warned': 'claim_node of such a node answers with a `readyWarning` that names the holder and until when.',
    'foretold:why': '`why` names what is used, by which node, whom and until when.',
    'foretold:suggested': '`touched` of a node is what its earlier claims changed.',
    'foretold:checked': '`signalbox plans check` warns of two parallel nodes that touch the same.',
    'merge:rehearsed':
      'GET /api/overlaps/merges names the files that two live trees would conflict in, committed work only.',
    'merge:never-writes': 'A rehearsal writes nothing into a tree or repository.',
    'overlap:never-writes': 'Nothing is written into a tree or repository that is looked at.',
  }),
];
