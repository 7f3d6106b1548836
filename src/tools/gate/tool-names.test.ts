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
  ])('%s means %s', (name, id) => {
    expect(meantTool(name, tools)?.name).toBe(id);
  });

  test.each([
    ['removeFromList', ['change_list', 'show_lists']],
    ['launch_rocket', []],
  ])('%s is like %j', (name, ids) => {
    const lists = ['change_list', 'show_lists', 'write_note'].map((id) => ({ ...WRITE_NOTE, name: id }));
    expect(toolsLike(name, lists).map((tool) => tool.name)).toEqual(ids);
  });

  test('adding to a list is changing it, taking something off is not', () => {
    const list = { ...WRITE_NOTE, name: 'change_list', functionName: 'changeList' };
    expect(
      ['add_to_list', 'addToShoppingList', 'remove_from_list'].map((name) => meantTool(name, [list])?.name),
    ).toEqual(['change_list', 'change_list', undefined]);
  });

  test.each(['note_query', 'launch', 'file', 'rag_write', 'fetch_url', '', 'wri_note'])('%j means none', (name) => {
    expect(meantTool(name, tools)).toBeUndefined();
  });
});
