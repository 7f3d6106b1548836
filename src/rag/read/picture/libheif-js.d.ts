declare module 'libheif-js/wasm-bundle.js' {
  interface Pixels {
    readonly data: Uint8ClampedArray;
    readonly width: number;
    readonly height: number;
  }
  interface HeifImage {
    get_width(): number;
    get_height(): number;
    /** Fills `data` with red, green, blue and alpha, upright. @param done  called with null when it is broken. */
    display(into: Pixels, done: (pixels: Pixels | null) => void): void;
    free(): void;
  }
  interface HeifDecoder {
    /** The pictures of a file, its main one first; none when it is broken. */
    decode(bytes: Uint8Array): HeifImage[];
  }
  const libheif: { readonly HeifDecoder: new () => HeifDecoder };
  export = libheif;
}
