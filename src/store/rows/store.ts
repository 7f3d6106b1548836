/** A program that works on the home, on PostgreSQL only. Owned by `store/`, see `workers.ts`. */
export interface WorkerRow {
  id: string;
  host: string;
  started_at: string;
  seen_at: string;
}
