import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { generateSettingFiles } from './generate.ts';
import { everySetting } from './table.ts';

const CHECKOUT = resolve(import.meta.dirname, '../..');

test.each(['config/default.json', 'config/custom-environment-variables.json', '.env.example', 'docs/config.md'])(
  '%s says what the table says',
  (path) => {
    expect(generateSettingFiles()[path]).toBe(readFileSync(join(CHECKOUT, path), 'utf8'));
  },
);

test('every variable has one line in .env.example', () => {
  const lines = generateSettingFiles()['.env.example']?.split('\n') ?? [];
  for (const { setting } of everySetting()) {
    expect(lines.filter((line) => line.startsWith(`# ${setting.env}=`))).toHaveLength(1);
  }
});

test('a row of the page has key, variables, values and default; without a default, the cell is empty', () => {
  const rows = generateSettingFiles()['docs/config.md']?.split('\n') ?? [];
  const rowOf = (key: string) => rows.find((row) => row.startsWith(`| \`${key}\` |`));
  expect([rowOf('budget.dayUsd'), rowOf('plugins.weather.units')]).toEqual([
    '| `budget.dayUsd` | `BUDGET_DAY_USD`, `OPENAI_COST_LIMIT_DAILY` | number from 0 to 100000 |  | ' +
      'Spending limit for one day in USD. Without it: no limit for a day. |',
    '| `plugins.weather.units` | `WEATHER_UNITS` | C \\| F | `"C"` | Degrees Celsius or Fahrenheit. Without it: Celsius. |',
  ]);
});

test('config files hold the settings as a tree; what has no default is null', () => {
  const files = generateSettingFiles();
  const tree = (path: string) => JSON.parse(files[path] ?? '');
  expect(tree('config/default.json').store).toEqual({ url: null, pool: 4, home: 'default' });
  expect(tree('config/custom-environment-variables.json').store).toEqual({
    ...{ url: 'WOOSTER_STORE_URL', pool: 'WOOSTER_STORE_POOL', home: 'WOOSTER_HOME_ID' },
  });
});
