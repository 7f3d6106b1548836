#!/bin/sh
# Runs once, when the server of compose.yaml is created. The workers' role is no superuser: row level security has to
# hold for it.
set -eu
psql --set=ON_ERROR_STOP=1 --username="${POSTGRES_USER:-postgres}" --set=password="$WOOSTER_DB_PASSWORD" <<'SQL'
create role wooster login nosuperuser nobypassrls nocreatedb nocreaterole password :'password';
create database wooster owner wooster template template0 encoding 'UTF8' locale 'C.UTF-8';
revoke connect on database wooster from public;
SQL
