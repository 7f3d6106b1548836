/** What the owner agreed to of a skill or a program, by its content. Owned by `plugins/`. */
export interface ContentPinRow {
  kind: 'skill' | 'program';
  id: string;
  /** Of the files that the owner agreed to; null: they have not. */
  hash: string | null;
  /** 1: somebody else wrote it. */
  imported: number;
}
