import { describe, expect, test } from 'vitest';
import { createHookAnswers, type HookSituation } from './hook-answers.ts';

const session_id = '00000001-0000-4000-8000-000000000000';
const stop = { session_id, hook_event_name: 'Stop', stop_hook_active: false, background_tasks: [] };
const holding = (...claims: [string, number][]): HookSituation => ({
  attended: true,
  claimsOf: (id) => (id === session_id ? claims.map(([ref, fence]) => ({ ref, fence })) : []),
  contestedBy: () => null,
});
const asked = (text: string) => ({
  hookSpecificOutput: {
    hookEventName: 'Stop',
    additionalContext: `You still hold ${text} in Signalbox. Call report_node if you continue, release_node if you stop.`,
  },
});

describe('a session that stops', () => {
  test('is reminded of each claim once', () => {
    const answer = createHookAnswers();
    expect(answer(stop, holding(['shop/lexer', 1]))).toEqual(asked('shop/lexer'));
    expect(answer(stop, holding(['shop/lexer', 1]))).toEqual({});
    expect(answer(stop, holding(['shop/lexer', 1], ['shop/parser', 1]))).toEqual(asked('shop/parser'));
    expect(answer(stop, holding())).toEqual({});
  });

  test('is reminded again of a node that it claimed again', () => {
    const answer = createHookAnswers();
    answer(stop, holding(['shop/lexer', 1]));
    expect(answer(stop, holding(['shop/lexer', 2]))).toEqual(asked('shop/lexer'));
  });

  test.each([
    ['a background task or a subagent works on', { ...stop, background_tasks: [{ id: 'x' }] }, {}],
    ['it goes on because of a hook already', { ...stop, stop_hook_active: true }, {}],
    ['nobody reads along', stop, { attended: false }],
    ['it is another session', { ...stop, session_id: 'other' }, {}],
    ['it names no session', { hook_event_name: 'Stop' }, {}],
  ])('is left alone when %s', (_, payload, situation) => {
    expect(createHookAnswers()(payload, { ...holding(['shop/lexer', 1]), ...situation })).toEqual({});
  });
});

describe('a claim that an agent makes', () => {
  const claim = { session_id, hook_event_name: 'PreToolUse', tool_name: 'mcp__signalbox__claim_next' };

  test('gets the session that makes it', () => {
    const answer = createHookAnswers()({ ...claim, tool_input: { agent: 'ada' } }, holding());
    const updatedInput = { agent: 'ada', session: session_id };
    expect(answer).toEqual({ hookSpecificOutput: { hookEventName: 'PreToolUse', updatedInput } });
  });

  test('keeps the session that it names, and other tools are not touched', () => {
    const answer = createHookAnswers();
    expect(answer({ ...claim, tool_input: { session: 'own' } }, holding())).toEqual({});
    expect(answer({ ...claim, tool_name: 'Bash', tool_input: { command: 'ls' } }, holding())).toEqual({});
    expect(answer({ ...claim, tool_input: null }, holding())).toEqual({});
  });
});

describe('a session that is about to edit a file', () => {
  const edit = {
    session_id,
    hook_event_name: 'PreToolUse',
    tool_name: 'Edit',
    tool_input: { file_path: '/r/src/price.ts', old_string: 'a', new_string: 'b' },
  };
  const contested = { path: 'src/price.ts', refs: ['shop/refund'], trees: 1, sameLines: false };
  const by = (found: HookSituation['contestedBy']): HookSituation => ({ ...holding(), contestedBy: found });

  test('is warned once that others change it, and never denied', () => {
    const answer = createHookAnswers();
    const situation = by((_, file) => (file === '/r/src/price.ts' ? contested : null));
    const first = answer(edit, situation);
    expect(first).toEqual({
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        additionalContext: expect.stringMatching(/^Signalbox: shop\/refund also changes src\/price\.ts\. /),
      },
    });
    expect(JSON.stringify(first)).not.toContain('permissionDecision');
    expect(answer(edit, situation)).toEqual({});
    expect(
      answer(
        edit,
        by(() => ({ ...contested, sameLines: true })),
      ),
    ).toMatchObject({
      hookSpecificOutput: { additionalContext: expect.stringContaining('on the same lines as you') },
    });
  });

  test.each([
    [{ refs: ['shop/refund'], trees: 2 }, 'shop/refund also changes'],
    [{ refs: ['shop/refund', 'shop/vat'], trees: 1 }, 'shop/refund, shop/vat also change'],
    [{ refs: [], trees: 1 }, 'another live working tree also changes'],
    [{ refs: [], trees: 2 }, '2 other live working trees also change'],
  ])('is told of %j in a sentence whose verb agrees', (others, said) => {
    expect(
      createHookAnswers()(
        edit,
        by(() => ({ ...contested, ...others })),
      ),
    ).toMatchObject({ hookSpecificOutput: { additionalContext: expect.stringContaining(`Signalbox: ${said} src/`) } });
  });

  test('gets no answer about a file that only it changes, nor about a command', () => {
    const answer = createHookAnswers();
    expect(answer(edit, holding())).toEqual({});
    expect(
      answer(
        { ...edit, tool_name: 'Bash' },
        by(() => contested),
      ),
    ).toEqual({});
  });
});
