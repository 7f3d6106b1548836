import { editDistance } from '../../base/text.ts';
import type { Tool } from '../tool.ts';

/** What models call our tools, by id: names of other programs' tools for the same thing. Compared without `_`. */
const SYNONYMS: Readonly<Record<string, string>> = {
  schedule: [
    'set_reminder create_reminder add_reminder remind remind_me reminder new_reminder schedule_reminder make_reminder',
    'schedule_task schedule_prompt schedule_job schedule_message schedule_notification add_schedule create_schedule',
    'new_schedule set_schedule set_alarm create_alarm alarm set_timer timer create_event add_event create_task',
  ].join(' '),
  reschedule:
    'change_reminder update_reminder move_reminder edit_reminder update_schedule change_schedule postpone snooze',
  list_schedules: 'list_reminders get_reminders show_reminders get_schedules show_schedules view_reminders reminders',
  cancel_schedule: [
    'delete_reminder cancel_reminder remove_reminder delete_schedule remove_schedule unschedule cancel_job delete_job',
    'clear_reminder cancel_task delete_alarm cancel_alarm',
  ].join(' '),
  fetch_text: [
    'fetch fetch_url fetch_page fetch_webpage fetch_website get_url get_page get_webpage open_url open_page browse',
    'browse_url read_url read_page read_webpage read_website visit visit_page visit_url http_get load_url scrape',
  ].join(' '),
  web_search: [
    'google google_search internet_search search_internet search_online bing_search brave_search duckduckgo',
    'duckduckgo_search tavily_search web_query search_google browser_search',
  ].join(' '),
  query_rag: [
    'rag search_rag rag_search retrieve retrieve_documents search_documents search_docs query_documents query_docs',
    'ask_documents document_search documents_search search_knowledge search_knowledge_base knowledge_search',
    'knowledge_base query_knowledge_base lookup_documents semantic_search vector_search',
  ].join(' '),
  write_note: [
    'add_note save_note create_note take_note append_note make_note note new_note store_note record_note note_down',
    'add_to_journal write_journal append_journal journal_entry add_journal_entry',
  ].join(' '),
  list_notes: 'get_notes read_notes show_notes view_notes fetch_notes all_notes read_journal list_journal',
  read_file: 'open_file get_file cat view_file load_file show_file file_read get_file_content read_text_file',
  write_file:
    'create_file save_file write_to_file overwrite_file new_file make_file file_write write_text_file save_to_file',
  edit_file: 'replace_in_file modify_file str_replace search_replace patch_file change_file',
  move_file: 'rename_file mv rename',
  delete_file: 'remove_file rm unlink erase_file',
  search_files: 'grep find_in_files search_in_files file_search',
  list_directory: 'list_files ls list_dir dir list_folder show_files get_files read_directory list_folder_contents',
  current_time: [
    'get_time get_current_time now time date get_date current_date get_current_date what_time datetime',
    'get_datetime current_datetime get_current_datetime clock today',
  ].join(' '),
  // Adding only: a list under `items` says what to add.
  change_list: [
    'add_to_list add_item add_items add_list_item add_to_shopping_list add_shopping_list append_to_list list_add',
    'add_items_to_list add_item_to_list add_to_todo_list shopping_list_add',
  ].join(' '),
  show_lists:
    'get_list get_lists show_list view_list read_list show_shopping_list get_shopping_list view_lists list_lists',
  notify:
    'send_message send_notification notification message notify_user send_notify send push_notification send_text',
  'interpreter.run-code': [
    'run_code execute_code run_javascript run_js execute_javascript execute_js code_interpreter interpreter javascript',
    'run_script execute_script eval calculate calculator compute math evaluate',
  ].join(' '),
};

const BY_SYNONYM: ReadonlyMap<string, string> = new Map(
  Object.entries(SYNONYMS).flatMap(([id, names]) => names.split(' ').map((name) => [letters(name), id] as const)),
);

/** What models put before and after a name besides marks: `functions.query_rag`, `query_rag<|channel|>`. */
const BEFORE = /^\W*(?:functions?|tools?|default_api|namespace|api)(?:\.|:|\/|__)/iu;
const AFTER = /<\|.*/u;

/** Shorter names differ from each other by single letters. */
const MIN_TYPO_CHARS = 6;

/**
 * The one tool that a name means, although it is not its name: other separators or capitals, the words in another order
 * or number, a usual synonym, one wrong letter. Undefined where none or several could be meant.
 */
export function meantTool(name: string, tools: readonly Tool[]): Tool | undefined {
  const bare = name.replace(AFTER, '').replace(BEFORE, '');
  const wanted = letters(bare);
  const words = wordsOf(bare);
  const synonym = BY_SYNONYM.get(wanted);
  const ways: readonly ((tool: Tool) => boolean)[] = [
    (tool) => letters(tool.name) === wanted || letters(tool.functionName) === wanted,
    (tool) => wordsOf(tool.name) === words || wordsOf(tool.functionName) === words,
    (tool) => tool.name === synonym,
    (tool) => wanted.length >= MIN_TYPO_CHARS && editDistance(letters(tool.name), wanted) === 1,
  ];
  for (const isMeant of ways) {
    const found = tools.filter(isMeant);
    if (found.length > 0) return found.length === 1 ? found[0] : undefined;
  }
  return undefined;
}

/** A wrong name may stand for so many tools before it says nothing. */
const MAX_ALIKE = 4;

/** Tools for the thing that a name is about: `change_list` and `show_lists` for `removeFromList`. Not of many. */
export function toolsLike(name: string, tools: readonly Tool[]): readonly Tool[] {
  const words = new Set(wordsOf(name).split(' '));
  const alike = tools.filter((tool) => words.has(wordsOf(tool.name.split(/[_.-]/u).at(-1) ?? '')));
  return alike.length <= MAX_ALIKE ? alike : [];
}

/** The letters and digits of a name, in lower case. */
function letters(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/gu, '');
}

/** The words of a name, in the singular and in alphabetical order. */
function wordsOf(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/gu, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]/u)
    .filter((word) => word !== '' && word !== 'tool' && word !== 'the' && word !== 'a')
    .map((word) => word.replace(/(?<=\w{2})s$/u, ''))
    .sort()
    .join(' ');
}
