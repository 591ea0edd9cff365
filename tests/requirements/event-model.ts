import { rules } from './rules.ts';

export const eventModel = [
  ...rules('interface §4, contract 10', {
    'model:get-merged': 'GET /api/event-model answers the merge of all sources that name the current model.',
    'model:push-replaces-own-source': 'A push replaces the descriptor of its source and of no other.',
  }),
  ...rules('interface §4', {
    'model:merge-by-name': 'The merge is keyed on the model name.',
  }),
  ...rules('contract 10', {
    'model:camel-case-members': 'The merged descriptor has camelCase members and PascalCase enum words.',
    'model:sources': 'The merged descriptor lists its sources with `pushedAt` and the count of slices.',
    'model:computed': 'The merged descriptor carries computed elements, edges and links.',
    'model:slice-evidence': 'Each slice carries its evidence: state and the newest verdict of each specification.',
    'model:none-404': 'GET /api/event-model before any push answers 404 `no_event_model`.',
    'model:no-spec': 'A slice without a bound specification is `noSpec`.',
    'model:failing': 'A slice with a failed newest verdict is `failing`.',
    'model:verified':
      'A slice is `verified` when every bound specification has a newest verdict and all of them passed.',
    'model:no-evidence': 'A slice with specifications that is neither failing nor verified is `noEvidence`.',
    'model:skipped-is-no-verdict': '`Skipped` is no verdict: the one before it stands.',
    'model:newest-verdict-by-at':
      'Of several verdicts of one run the newest has the latest `scenario_finished.at`, by arrival where there is none.',
    'model:verdict-survives-eject': 'A verdict is kept when its run is ejected.',
    'coverage:shape': 'GET /api/event-model/coverage answers model, summary, slices and drift.',
    'coverage:summary': 'The summary counts all slices and those of each state.',
    'coverage:undeclared': '`drift.undeclared` lists the types that newest verdicts touched and no slice declares.',
    'coverage:untouched': '`drift.untouched` lists the declared types that no passing newest verdict touched.',
    'coverage:mcp': 'The MCP tool slice_coverage is the twin of the coverage route.',
    'diagram:formats': 'GET /api/event-model/diagram answers the drawing as svg or mermaid.',
    'diagram:deterministic': 'The same model gives the same drawing byte for byte.',
    'model:relayed': 'The event-model GETs are relayed on 5526.',
    'model:push-204': 'PUT /api/event-model/{source} of a valid descriptor answers 204.',
    'model:push-400-every-fault': 'A push of a faulty descriptor answers 400 with every fault.',
    'model:mismatch-detail':
      'The detail of a name mismatch names both models, the sources that hold the name and the DELETE that frees it.',
    'model:mismatch-whoever-pushes': 'A source that is the only one cannot push another model name either.',
    'model:delete-source-204': 'DELETE /api/event-model/{source} answers 204, known or not, and takes the source away.',
    'model:delete-frees-name': 'Once no source holds a model name any more, another model can be pushed.',
    'model:bare-put-is-default': 'A bare PUT /api/event-model is the push of the source `default`.',
    'model:source-pattern': 'A source name that does not fit its pattern is a 400.',
    'model:source-ignores-case': 'Source names are compared without regard to case.',
    'model:reserved-sources': '`coverage` and `diagram` are refused as sources with a 400.',
    'model:narrowed':
      'GET and the MCP tool event_model take slice, domain and chapter, compared without regard to case.',
    'model:narrowed-to-nothing': 'A narrowing that finds nothing answers an empty `slices`.',
    'model:survives-restart': 'Sources survive a restart.',
    'model:merge-ignores-push-order': 'The merge does not depend on the order of pushes.',
    'model:first-by-source-name': 'Sources are taken in the order of their names wherever the first one counts.',
  }),
  ...rules('interface §4, interface §7, contract 10', {
    'model:other-name-refused':
      'A push that names another model than the one served is refused with 409 `model_name_mismatch`.',
  }),
] as const;
