insert into conversations (id, project, read_private, created_at, updated_at) values ('c', 'home', 1, '2026', '2026');
insert into turns (id, conversation_id, mode, origin, text, status, started_at) values
  ('t9', 'c', 'code_agent', 'repl', 'first', 'answered', '2026'),
  ('t1', 'c', 'code_agent', 'repl', 'second', 'cut_off', '2026'),
  ('t5', 'c', 'code_agent', 'repl', 'third', 'undone', '2026');
delete from turns where id = 't5';
insert into turn_memory (turn_id, key, value) values ('t1', 'k', '1');
insert into messages (conversation_id, turn_id, sequence, role, kind, content, token_count, created_at) values
  ('c', 't9', 1, 'user', 'text', 'Where is the café?', 5, '2026');
insert into usage (project, mode, provider, model, purpose, input_tokens, output_tokens, cached_tokens, cost_usd,
  latency_ms, ok, created_at) values ('home', 'm', 'p', 'm', 'turn', 1, 2, 0, 0.125, 5, 1, '2026');
insert into artifacts (id, project, type, data, created_at, untrusted) values ('a', 'home', 'text', 'd', '2026', 0);
insert into effects (id, turn_id, conversation_id, tool, effect, idempotency_key, input, state, created_at, why) values
  ('e', 't9', 'c', 'write_note', 'local', 'i', '{}', 'done', '2026', '{}');
insert into receipts (seq, at, turn_id, conversation_id, tool, effect, input, input_sha, state, previous, hash,
  effect_id) values (1, '2026', 't9', 'c', 'write_note', 'local', '{}', 's', 'done', '', 'h', 'e');
insert into receipt_heads (chain, seq, hash) values ('home', 1, 'h');
insert into file_origins (path, sha256, untrusted, sources, by, at) values
  ('projects/home/a.md', '', 1, '["web"]', 'owner', '2026');
insert into content_pins (kind, id, hash, imported) values ('skill', 'tea', null, 1);
insert into schedules (id, kind, expression, said, description, time_zone, task, payload, options, project, anchor_utc,
  tz_data, created_at) values ('s', 'every', 'PT1H', '', '', 'UTC', 'AGENT_PROMPT', '{}', '{}', 'home', '2026', '', '2026');
insert into runs (id, schedule_id, scheduled_for, reason, state) values
  ('r1', 's', '2026-01-01', 'time', 'succeeded'), ('r2', 's', '2026-01-02', 'time', 'running');
insert into outbox (id, dedupe_key, channel, recipient, part, parts, body, state, due_at, expires_at, created_at) values
  ('o', 'd', 'log', '', 1, 1, 'b', 'pending', '2026', '2027', '2026');
insert into roots (project, path, added_at) values ('home', '/p', '2026');
insert into sources (project, root, path, document_id, kind, size, mtime_us, sha256, version, state, indexed_at) values
  ('home', '/p', 'a.md', 'a', 'md', 3, 1795000000123456, 's', '1', 'indexed', '2026');
