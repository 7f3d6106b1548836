/** A program in one of the folders whose programs can be tools. */
export interface ListedProgram {
  /** The name of its file. */
  readonly file: string;
  readonly path: string;
  readonly place: 'project' | 'home';
  /** `changed`: it was on, but it or a file that it imports has changed since its owner agreed to it. */
  readonly state: 'on' | 'off' | 'changed' | 'broken';
  readonly why?: string;
  /** What it is for. */
  readonly description?: string;
  /** The names of the tools that it provides, or would if it were on. */
  readonly tools: readonly string[];
}
