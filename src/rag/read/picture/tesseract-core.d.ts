declare module 'tesseract.js-core/tesseract-core-simd-lstm.js' {
  /** Tesseract's own interface, as far as it is used. @see https://tesseract-ocr.github.io/tessapi/5.x/a00008.html */
  interface TessBaseAPI {
    /** @returns 0 when the languages could be loaded. */
    Init(path: null, languages: string, engine: number): number;
    SetVariable(name: string, value: string): void;
    /** Takes `/input`, turned by an angle in radians. @returns 1 when it is no picture. */
    SetImageFile(orientation: number, angle: number): number;
    FindLines(): void;
    /** The slope of the lines of text that were found. */
    GetGradient(): number;
    Recognize(monitor: null): number;
    GetJSONText(): string;
  }
  interface Tesseract {
    readonly FS: { writeFile(path: string, bytes: Uint8Array): void; unlink(path: string): void };
    readonly TessBaseAPI: new () => TessBaseAPI;
  }
  /** Loads the engine, which is WebAssembly. */
  const load: (options: {
    TesseractProgress(percent: number): void;
    printErr(line: string): void;
  }) => Promise<Tesseract>;
  export = load;
}
