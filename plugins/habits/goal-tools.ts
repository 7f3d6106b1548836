import { defineTool, type Tool, z } from '#plugin';
import { type Book, type Goal, named, refuseTaken } from './book.ts';
import { changing, NAME, reading, today } from './habit-tools.ts';

export function goalTools(book: Book): Tool[] {
  return [createGoal(book), updateGoal(book), listGoals(book)];
}

function createGoal(book: Book): Tool {
  return defineTool({
    name: 'create_goal',
    positional: ['name', 'target'],
    aliases: { name: ['title', 'goal'] },
    description:
      'Set a goal of the user: with a number to reach (`target`, `unit`), a date, milestones, or none of them.',
    input: z.object({
      name: NAME,
      target: z.number().positive().optional(),
      unit: z.string().max(40).optional(),
      due: z.iso.date().optional(),
      milestones: z.array(NAME).max(50).default([]),
    }),
    ...changing(book),
    policy: { effect: 'local', change: 'append' },
    execute: ({ name, milestones, ...rest }, context) =>
      book.change(({ goals }) => {
        refuseTaken(goals, name, 'goal');
        const steps = milestones.map((step) => ({ name: step }));
        goals.push({ name, ...rest, since: today(context), progress: [], milestones: steps });
        return `Set: ${name}`;
      }),
  });
}

function updateGoal(book: Book): Tool {
  return defineTool({
    name: 'update_goal',
    positional: ['goal'],
    aliases: { goal: ['name', 'id'], value: ['progress'] },
    description:
      'Note progress of a goal (`value` in all, or `add`), add or tick a milestone, or mark the goal as reached.',
    input: z.object({
      goal: NAME,
      value: z.number().optional(),
      add: z.number().optional(),
      newMilestone: NAME.optional(),
      doneMilestone: NAME.optional(),
      reached: z.boolean().optional(),
    }),
    ...changing(book),
    policy: { effect: 'local' },
    durability: { versioned: book.versioned },
    execute: ({ goal, value, add, newMilestone, doneMilestone, reached }, context) =>
      book.change(({ goals }) => {
        const found = named(goals, goal, 'goal');
        const on = today(context);
        const before = found.progress.at(-1)?.value ?? 0;
        if (value !== undefined) found.progress.push({ on, value });
        else if (add !== undefined) found.progress.push({ on, value: before + add });
        if (newMilestone) found.milestones.push({ name: newMilestone });
        if (doneMilestone) named(found.milestones, doneMilestone, 'milestone').done = on;
        if (reached !== undefined) found.done = reached ? on : undefined;
        return goalRow(found);
      }),
  });
}

function listGoals(book: Book): Tool {
  return defineTool({
    name: 'list_goals',
    description: "List the user's goals with how far they are.",
    input: z.object({ all: z.boolean().default(false).describe('reached ones too') }),
    ...reading(book),
    execute: async ({ all }) => (await book.read()).goals.filter((goal) => all || !goal.done).map(goalRow),
  });
}

/** A goal as people read it. */
function goalRow({ name, target, unit, due, progress, milestones, done }: Goal) {
  const now = progress.at(-1)?.value ?? 0;
  return {
    goal: name,
    ...(target !== undefined && {
      progress: `${now} of ${target}${unit ? ` ${unit}` : ''}`,
      percent: Math.round((now / target) * 100),
    }),
    ...(due && { due }),
    ...(milestones.length > 0 && {
      milestones: milestones.map((step) => `${step.done ? '[x]' : '[ ]'} ${step.name}`),
    }),
    ...(done && { reached: done }),
  };
}
