import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { workerData } from 'node:worker_threads';
import { gunzipSync } from 'node:zlib';
import type { Grey } from '../read/picture/image.ts';
import type { Pictured } from '../read/picture/tesseract-lines.ts';
import { type FoundLine, linesIn } from '../read/picture/tesseract-lines.ts';
import { serve } from './rpc.ts';

/** A thread that reads text in pictures. Its engine and the data of its languages are loaded when it starts. */
export interface OcrThreadData {
  /** As Tesseract calls them: `eng+deu`. */
  readonly languages: string;
}

export interface RecogniseRequest {
  readonly grey: Grey;
  readonly as?: Pictured | undefined;
}

/** Lines are recognised by a neural network, which is all that the data of the languages is for. */
const LSTM_ONLY = 1;
const AS_IT_STANDS = 1;
/** What Tesseract calls what a picture is of. */
const SEGMENTATION = { page: '6', line: '7', word: '8' } as const satisfies Record<Pictured, string>;

const { languages } = workerData as OcrThreadData;
const { default: load } = await import('tesseract.js-core/tesseract-core-simd-lstm.js');
const engine = await load({ TesseractProgress: () => undefined, printErr: () => undefined });
const codes = languages.split('+');
const locate = createRequire(import.meta.url);
for (const code of codes) {
  const packed = readFileSync(locate.resolve(`@tesseract.js-data/${code}/4.0.0_best_int/${code}.traineddata.gz`));
  engine.FS.writeFile(`${code}.traineddata`, gunzipSync(packed));
}
const api = new engine.TessBaseAPI();
if (api.Init(null, languages, LSTM_ONLY) !== 0) throw new Error('the text recognition did not start');
for (const code of codes) engine.FS.unlink(`${code}.traineddata`);

serve({
  recognise: ({ grey: { width, height, data }, as = 'page' }: RecogniseRequest): readonly FoundLine[] => {
    api.SetVariable('tessedit_pageseg_mode', SEGMENTATION[as]);
    engine.FS.writeFile('/input', Buffer.concat([Buffer.from(`P5\n${width} ${height}\n255\n`), data]));
    try {
      if (api.SetImageFile(AS_IT_STANDS, 0) === 1) throw new Error('the text recognition takes no such picture');
      api.Recognize(null);
      return linesIn(api.GetJSONText());
    } finally {
      engine.FS.unlink('/input');
    }
  },
});
