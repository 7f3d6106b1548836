/** On PostgreSQL only: the homes on this server, for workers that serve several. The one table that all of them see. */
export interface HomeRow {
  id: string;
  created_at: string;
}
