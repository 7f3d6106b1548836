import { describe, expect, test } from 'vitest';
import { slipTools } from '../../testing/slips.ts';
import { WRITE_NOTE } from '../../testing/tools.ts';
import { meantTool, toolsLike } from './tool-names.ts';

const { tools } = slipTools();

describe('a name', () => {
  test.each([
    ['queryRag', 'query_rag'],
    ['rag_query', 'query_rag'],
    ['QUERY-RAG', 'query_rag'],
    ['functions.query_rag', 'query_rag'],
    ['write_notes', 'write_note'],
    ['writeNote()', 'write_note'],
    ['set_reminder', 'schedule'],
    ['createReminder', 'schedule'],
    ['shedule', 'schedule'],
    ['open_file', 'read_file'],
    ['get_current_time', 'current_time'],
    ['the_query_rag_tool', 'query_rag'],
    ['`query_rag`', 'query_rag'],
    ['query_rag<|channel|>json', 'query_rag'],
    ['query_rag:', 'query_rag'],
    ['api/query_rag', 'query_rag'],
    ['tools__query_rag', 'query_rag'],
    ['ragQuery', 'query_rag'],
    ['quary_rag', 'query_rag'],
    ['"remind me"', 'schedule'],
    ['`functions.query_rag`', 'query_rag'],
    ['WRITENOTE', 'write_note'],
    ['_notes_write_', 'write_note'],
    ['a_rag_query', 'query_rag'],
  ])('%s means %s', (name, id) => {
    expect(meantTool(name, tools)?.name).toBe(id);
  });

  const named = (name: string, functionName = name) => ({ ...WRITE_NOTE, name, functionName });

  test.each([
    ['removeFromList', ['change_list', 'show_all_lists']],
    ['launch_rocket', []],
  ])('%s is like %j', (name, ids) => {
    const lists = ['change_list', 'show_all_lists', 'write_note'].map((id) => named(id));
    expect(toolsLike(name, lists).map((tool) => tool.name)).toEqual(ids);
  });

  test('what is like five tools says nothing about any of them', () => {
    const lists = ['a_list', 'b_list', 'c_list', 'd_list', 'e_list'].map((id) => named(id));
    expect(toolsLike('removeFromList', lists.slice(1))).toHaveLength(4);
    expect(toolsLike('removeFromList', lists)).toEqual([]);
  });

  test.each(['NOTESWRITE', 'write_notes', 'jotdown', 'down_jot'])(
    '%s means a tool by its id or its function',
    (name) => {
      expect(meantTool(name, [named('notes.write', 'jotDown')])?.name).toBe('notes.write');
    },
  );

  test.each([
    ['notifi', 'notify', 'notify'],
    ['sendz', 'sends', undefined],
    ['read_o', 'read_os', undefined],
  ])('%s, where there is %s, means %s', (name, id, meant) => {
    expect(meantTool(name, [named(id)])?.name).toBe(meant);
  });

  test('what may be two tools is none', () => {
    expect(meantTool('notes_write', [named('write_note'), named('note_write')])).toBeUndefined();
  });

  test('adding to a list is changing it, taking something off is not', () => {
    const list = named('change_list', 'changeList');
    expect(
      ['add_to_list', 'addToShoppingList', 'remove_from_list'].map((name) => meantTool(name, [list])?.name),
    ).toEqual(['change_list', 'change_list', undefined]);
  });

  test.each(['note_query', 'launch', 'file', 'rag_write', 'fetch_url', '', 'wri_note'])('%j means none', (name) => {
    expect(meantTool(name, tools)).toBeUndefined();
  });
});
