import { type Argument, parseSync, Visitor } from 'oxc-parser';

export type Citation = { readonly id: string; readonly at: string };
export type Citations = { readonly cited: readonly Citation[]; readonly faults: readonly string[] };

/** The requirement ids that one source file cites in `verifies(...)` and `verifies.each(...)(...)` calls. */
export function citationsIn(path: string, source: string): Citations {
  const { program, errors, module } = parseSync(path, source);
  if (errors.length > 0) return { cited: [], faults: [`${path} cannot be parsed: ${errors[0]?.message}`] };
  const names = module.staticImports
    .filter(({ moduleRequest }) => /(^|\/)verifies\.ts$/.test(moduleRequest.value))
    .flatMap(({ entries }) => entries.filter((entry) => entry.importName.name === 'verifies'))
    .map((entry) => entry.localName.value);

  const cited: Citation[] = [];
  const faults: string[] = [];
  new Visitor({
    CallExpression({ callee, arguments: [ids], start }) {
      const each = callee.type === 'CallExpression' ? callee.callee : null;
      const called = each?.type === 'MemberExpression' ? each.object : callee;
      if (called.type !== 'Identifier' || !names.includes(called.name)) return;
      const at = `${path}:${source.slice(0, start).split('\n').length}`;
      const found = literalsOf(ids);
      if (found === null) faults.push(`${at} must write its requirement ids as string literals`);
      else cited.push(...found.map((id) => ({ id, at })));
    },
  }).visit(program);
  return { cited, faults };
}

function literalsOf(argument: Argument | undefined): string[] | null {
  const elements = argument?.type === 'ArrayExpression' ? argument.elements : [argument];
  const texts = elements.map((element) =>
    element?.type === 'Literal' && typeof element.value === 'string' ? element.value : null,
  );
  return texts.length > 0 && texts.every((text) => text !== null) ? texts : null;
}
