/** Where a line of the generated code comes from; lines and columns count from 1. */
export interface Mapping {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** A source map, ECMA-426. */
export interface SourceMap {
  readonly version: 3;
  readonly sources: readonly string[];
  readonly sourcesContent: readonly string[];
  readonly names: readonly string[];
  readonly mappings: string;
}

const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/**
 * A source map with one location for each line of the generated code.
 *
 * @param lines  one entry for each line; undefined for lines without a source.
 * @see https://tc39.es/ecma426/
 */
export function sourceMap(lines: readonly (Mapping | undefined)[], sources: ReadonlyMap<string, string>): SourceMap {
  const files = [...sources.keys()];
  let before = [0, 0, 0];
  const mappings = lines.map((place) => {
    if (!place) return '';
    const now = [files.indexOf(place.file), place.line - 1, place.column - 1];
    const fields = [0, ...now.map((value, index) => value - (before[index] ?? 0))];
    before = now;
    return fields.map(vlq).join('');
  });
  return { version: 3, sources: files, sourcesContent: [...sources.values()], names: [], mappings: mappings.join(';') };
}

function vlq(value: number): string {
  let rest = value < 0 ? (-value << 1) | 1 : value << 1;
  let text = '';
  do {
    const digit = rest & 31;
    rest >>>= 5;
    text += BASE64[rest > 0 ? digit | 32 : digit] ?? '';
  } while (rest > 0);
  return text;
}
