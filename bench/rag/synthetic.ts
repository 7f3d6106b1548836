import { mulberry32 } from '../../src/base/mulberry32.ts';
import { seededNormals } from '../../src/rag/index/linear-algebra.ts';
import { normalise } from '../../src/rag/index/lsa.ts';

/** Made-up texts whose words follow Zipf's law, with topics, so that index sizes and timings look like real prose. */
export class Prose {
  readonly #random: () => number;
  readonly #vocabulary: readonly string[];

  constructor(seed: number, vocabulary = 60_000) {
    this.#random = mulberry32(seed);
    this.#vocabulary = Array.from({ length: vocabulary }, () => this.#word());
  }

  text(words: number, topic: number): string {
    const parts: string[] = [];
    for (let at = 0; at < words; at++) parts.push(this.#random() < 0.4 ? this.#ofTopic(topic) : this.#any());
    return `${parts.join(' ')}.`;
  }

  query(words: number, topic: number): string {
    return Array.from({ length: words }, () => (this.#random() < 0.6 ? this.#ofTopic(topic) : this.#any())).join(' ');
  }

  #any(): string {
    const rank = Math.floor(this.#vocabulary.length ** this.#random()) - 1;
    return this.#vocabulary[Math.max(0, rank)] ?? '';
  }

  #ofTopic(topic: number): string {
    const at = (topic * 7919 + Math.floor(200 * this.#random() ** 2)) % this.#vocabulary.length;
    return this.#vocabulary[at] ?? '';
  }

  #word(): string {
    const syllables = 2 + Math.floor(this.#random() * 3);
    const pick = (letters: string) => letters[Math.floor(this.#random() * letters.length)] ?? '';
    return Array.from(
      { length: syllables },
      () => pick('bcdfghjklmnprstvw') + pick('aeiou') + (this.#random() < 0.3 ? pick('nrlst') : ''),
    ).join('');
  }
}

const CLUSTERS = 500;

/** Made-up vectors of unit length in clusters, as texts give them. */
export class Clusters {
  readonly #dimensions: number;
  readonly #centres: Float32Array;
  readonly #random = mulberry32(2);

  constructor(dimensions: number) {
    this.#dimensions = dimensions;
    this.#centres = seededNormals(CLUSTERS * dimensions, 1);
  }

  vector(seed: number): Float32Array {
    const from = Math.floor(this.#random() * CLUSTERS) * this.#dimensions;
    const noise = seededNormals(this.#dimensions, seed);
    return normalise(noise.map((value, axis) => 0.8 * value + (this.#centres[from + axis] ?? 0))) ?? noise;
  }
}
