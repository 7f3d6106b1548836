import { GUEST_VALUES } from './guest-values.ts';

/** The loop around each AI call of running programs, lists and assertions, as text for the sandbox. */
const GUEST_AI = String.raw`
Object.assign($, {
  contextOf({ context, previous }) {
    if (previous === undefined) return context;
    return { ...(context ?? {}), previous_result: previous };
  },
  async attempts({ attempts = 1, fallback, guards = [], at, shape }, once) {
    let feedback = null;
    for (let number = 1; ; number++) {
      try {
        const value = $.revive(await once(feedback, attempts === 1), shape);
        await $.guard(value, guards, at);
        return value;
      } catch (error) {
        if (!(error instanceof $Error) || error.about.retry !== true) throw error;
        if (number < attempts) {
          feedback = error.message;
          if (error.about.pause) await $.host('pause', 500 * 2 ** (number - 1));
        } else if (fallback) {
          await $.host('warn', { text: 'The fallback is used: ' + error.message }, at);
          return fallback();
        } else throw error;
      }
    }
  },
  async guard(value, guards, at) {
    const bare = value instanceof Confident ? value.value : value;
    for (const { name, value: constraint, end } of guards) {
      if (name !== 'passes') {
        const target = value instanceof Confident && name === 'confidence' ? { confidence: value.confidence } : bare;
        await $.host('guard', { value: target, name, constraint, end: end ?? null }, at);
      } else if ([false, 0, ''].includes(await $.call(constraint, [value], at))) {
        const of = constraint.about?.name ?? 'the function';
        const message = 'The guard passes failed: ' + of + ' said no to ' + $.show(value).slice(0, 120) + '.';
        throw new $Error(
          {
            name: 'GuardFailed',
            message,
            ai: true,
            retry: true,
            guardName: 'passes',
            guardValue: value,
            constraint: of,
          },
          at,
        );
      }
    }
  },
  ai(spec) {
    const { op, prompt, value, hint, goal, steps, schema, name, without, at } = spec;
    const payload = { op, prompt, value, hint, goal, steps, schema, name, without, context: $.contextOf(spec) };
    return $.attempts(spec, (feedback, repair) => $.host('ask', { ...payload, feedback, repair }, at));
  },
  agent(spec) {
    const { prompt, schema, name, without, at, tools = [], maxTurns } = spec;
    const about = tools.map((tool) => tool.about);
    const payload = { prompt, schema, name, without, context: $.contextOf(spec), maxTurns, tools: about };
    return $.attempts(spec, async (feedback) => {
      let step = await $.host('agent', { ...payload, feedback }, at);
      while (step.call) step = await $.host('resume', { task: step.task, ...(await $.answer(step.call, tools)) }, at);
      return step.done;
    });
  },
  async answer({ id, name, input }, tools) {
    try {
      return {
        id,
        output: await $.callTool(
          tools.find((tool) => tool.about.name === name),
          input,
        ),
      };
    } catch (error) {
      const { name: kind, message } = $.caught(error);
      return { id, failure: kind + ': ' + message };
    }
  },
  async pool(items, { concurrency = 5, costBudget, onError, at }, work) {
    if (!Number.isInteger(concurrency) || concurrency < 1)
      $.fail('BadNumber', 'concurrency must be a whole number of at least 1', at);
    const done = items.map(() => undefined);
    const start = costBudget === undefined ? 0 : await $.host('spent');
    let next = 0,
      failed,
      stopped = false,
      failures = 0;
    const worker = async () => {
      while (next < items.length && !stopped) {
        const index = next++;
        if (costBudget !== undefined && (await $.host('spent')) - start >= costBudget) {
          stopped = true;
          next = Math.min(next, index);
          return;
        }
        try {
          done[index] = { value: await work(items[index], index) };
        } catch (error) {
          failures += 1;
          failed ??= error;
          await $.host('warn', {
            text: 'item ' + (index + 1) + ' of ' + items.length + ' failed: ' + $.caught(error).message,
          });
          if (onError === 'fail_fast') {
            stopped = true;
            throw error;
          }
        }
      }
    };
    await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, worker));
    const kept = done.filter((each) => each !== undefined);
    if (stopped)
      await $.host('warn', {
        text:
          'the cost budget of ' +
          costBudget +
          ' USD is used up: ' +
          kept.length +
          ' of ' +
          items.length +
          ' items are done',
      });
    if (failed && kept.length === 0) throw failed;
    return kept.map(({ value }) => value);
  },
  list(value, at) {
    return Array.isArray(value) ? value : [...$.items(value, at)];
  },
  async batch(spec) {
    return $.pool($.list(spec.items, spec.at), spec, (item) => $.call(spec.fn, [item], spec.at));
  },
  async mapThink(spec) {
    return $.pool($.list(spec.items, spec.at), spec, (item) =>
      $.ai({ ...spec, prompt: spec.prompt + '\n\nItem:\n' + $.show(item) }),
    );
  },
  async reduceThink(spec) {
    const { batchSize = 10, prompt, at } = spec;
    if (!Number.isInteger(batchSize) || batchSize < 2)
      $.fail('BadNumber', 'batch_size must be a whole number of at least 2', at);
    let level = $.list(spec.items, at);
    do {
      const groups =
        level.length === 0
          ? [[]]
          : Array.from({ length: Math.ceil(level.length / batchSize) }, (_, i) =>
              level.slice(i * batchSize, (i + 1) * batchSize),
            );
      const one = (group) =>
        $.ai({
          ...spec,
          prompt:
            prompt + '\n\nItems:\n' + (group.map((item, i) => i + 1 + '. ' + $.show(item)).join('\n') || '(none)'),
        });
      level = await $.pool(groups, { concurrency: 3, onError: 'fail_fast', at }, one);
    } while (level.length > 1);
    return level[0];
  },
  assert(value, at) {
    if (!value) $.fail('AssertionFailed', 'this does not hold', at);
  },
  compare(operator, a, b, at) {
    if ($.binary(operator, a, b, at)) return;
    $.fail('AssertionFailed', 'this does not hold: ' + $.show(a) + ' ' + operator + ' ' + $.show(b), at);
  },
  async semantic(value, criteria, at) {
    const { passes, explanation } = await $.host('judge', { value, criteria }, at);
    if (!passes) $.fail('AssertionFailed', 'it is not so that: ' + criteria + ' (' + explanation + ')', at);
  },
  async main(program) {
    try {
      return { ok: (await program()) ?? null };
    } catch (error) {
      return { error: $.caught(error), at: error instanceof $Error ? error.at : $.at };
    }
  },
});
`;

/**
 * The runtime of compiled programs in the sandbox, as text: values, operators, errors with places, and the loop around
 * each AI call. `host(op, payload)` is the only way out; it answers `{ ok }` or `{ error }`.
 */
export const GUEST = `${GUEST_VALUES}${GUEST_AI}`;
